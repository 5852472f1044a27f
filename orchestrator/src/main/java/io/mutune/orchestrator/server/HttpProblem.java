package io.mutune.orchestrator.server;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.sweep.Problem;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An error of a request, in the form of RFC 9457. Its message is shown to the caller. */
final class HttpProblem extends RuntimeException {
  private static final long serialVersionUID = 1;

  static final String TYPE = "application/problem+json";

  private final int status;
  private final transient List<Problem> lines;

  HttpProblem(int status, String detail) {
    this(status, detail, List.of());
  }

  /**
   * @param lines mistakes in a sweep; line 0 means the sweep as a whole
   */
  HttpProblem(int status, String detail, List<Problem> lines) {
    super(detail, null, false, false);
    this.status = status;
    this.lines = List.copyOf(lines);
  }

  int status() {
    return status;
  }

  String json() {
    ObjectNode json = Json.object();
    json.put("type", "about:blank").put("title", title(status)).put("status", status);
    json.put("detail", String.valueOf(getMessage()));
    if (!lines.isEmpty()) {
      ArrayNode problems = json.putArray("problems");
      lines.forEach(line -> problems.addObject().put("line", line.line()).put("text", line.text()));
    }
    return Json.write(json);
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 409 -> "Conflict";
      case 413 -> "Content Too Large";
      case 415 -> "Unsupported Media Type";
      case 421 -> "Misdirected Request";
      case 503 -> "Service Unavailable";
      default -> status < 500 ? "Bad Request" : "Internal Server Error";
    };
  }
}
