package io.mutune.orchestrator.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers what Jetty itself refuses, such as a malformed request, in the form of all other answers.
 */
final class PlainErrors extends ErrorHandler {
  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    String detail = code < 500 ? "the request cannot be read" : "the server failed";
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, HttpProblem.TYPE);
    byte[] json = new HttpProblem(code, detail).json().getBytes(StandardCharsets.UTF_8);
    response.write(true, ByteBuffer.wrap(json), callback);
  }
}
