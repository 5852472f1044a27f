package io.mutune.orchestrator.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/**
 * In the place of an MLflow server: answers as the documentation of its REST API says, notes what
 * was asked, and refuses what MLflow would refuse.
 */
public final class RecordedMlflow implements AutoCloseable {
  private static final String API = "/api/2.0/mlflow/";

  /** What MLflow takes as the name of a metric or a parameter. */
  private static final String KEY = "[\\w./ -]{1,250}";

  private static final int MOST_OF_A_VALUE = 6000;

  /** A request: its method, its path with its query, and its body. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Asked(String how, String where, byte[] body) {
    JsonNode json() {
      return Json.read(new String(body, StandardCharsets.UTF_8));
    }
  }

  final List<Asked> asked = new CopyOnWriteArrayList<>();
  public final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final String files;
  private int runs;
  private boolean hasExperiment;
  private final Map<String, String> others = new ConcurrentHashMap<>();
  private final Map<String, Integer> endless = new ConcurrentHashMap<>();

  private RecordedMlflow(String files) throws IOException {
    this.files = files;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  /** A server that takes files itself. */
  public static RecordedMlflow open() throws IOException {
    return new RecordedMlflow("mlflow-artifacts:/7/");
  }

  /** A server whose clients put files where they are told. */
  static RecordedMlflow withFilesElsewhere() throws IOException {
    return new RecordedMlflow("s3://bucket/7/");
  }

  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * Answers otherwise.
   *
   * @param call the last two words of its path
   * @param answer its status, a blank and its body
   */
  public void say(String call, String answer) {
    others.put(call, answer);
  }

  /** Answers without end, so many bytes every millisecond, until nobody reads them. */
  public void sayWithoutEnd(String call, int bytes) {
    endless.put(call, bytes);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Asked question =
        new Asked(exchange.getRequestMethod(), exchange.getRequestURI().toString(), body);
    asked.add(question);
    authorizations.addAll(exchange.getRequestHeaders().getOrDefault("Authorization", List.of()));
    String path = exchange.getRequestURI().getPath();
    Integer bytes = endless.get(call(path));
    if (bytes != null) {
      flood(exchange, bytes);
      return;
    }
    String[] said = others.getOrDefault(call(path), said(question)).split(" ", 2);
    byte[] answer = said[1].getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(Integer.parseInt(said[0]), answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  /** The last two words of a path. */
  private static String call(String path) {
    return path.replaceFirst(".*/([^/]+/[^/]+)$", "$1");
  }

  private static void flood(HttpExchange exchange, int bytes) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    while (true) {
      exchange.getResponseBody().write(" ".repeat(bytes).getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      MutuneProcess.pause();
    }
  }

  private String said(Asked question) {
    String what = question.where().replace(API, "");
    if (question.how().equals("GET")) {
      return hasExperiment
          ? "200 {\"experiment\": {\"experiment_id\": \"7\", \"name\": \"n\"}}"
          : "404 {\"error_code\": \"RESOURCE_DOES_NOT_EXIST\", \"message\": \"No such one\"}";
    }
    return switch (what) {
      case "experiments/create" -> {
        hasExperiment = true;
        yield "200 {\"experiment_id\": \"7\"}";
      }
      case "runs/create" -> {
        String run = "run" + ++runs;
        yield "200 {\"run\": {\"info\": {\"run_id\": \"%s\", \"artifact_uri\": \"%s%s/artifacts\"}}}"
            .formatted(run, files, run);
      }
      case "runs/log-batch" -> batch(question.json());
      case "runs/update" -> "200 {\"run_info\": {}}";
      default -> question.how().equals("PUT") ? "200 {}" : "404 {\"message\": \"no such call\"}";
    };
  }

  private static String batch(JsonNode batch) {
    boolean fits =
        batch.path("metrics").size() <= 1000
            && batch.path("params").size() <= 100
            && batch.path("metrics").valueStream().allMatch(RecordedMlflow::isMetric)
            && batch.path("params").valueStream().allMatch(RecordedMlflow::isParameter);
    return fits ? "200 {}" : "400 {\"message\": \"malformed batch\"}";
  }

  private static boolean isMetric(JsonNode metric) {
    return metric.path("key").asString("").matches(KEY)
        && metric.path("value").isNumber()
        && metric.path("timestamp").isIntegralNumber()
        && metric.path("step").isIntegralNumber();
  }

  private static boolean isParameter(JsonNode parameter) {
    return parameter.path("key").asString("").matches(KEY)
        && parameter.path("value").isString()
        && parameter.path("value").asString().length() <= MOST_OF_A_VALUE;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
