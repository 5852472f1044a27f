package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A tracking server of MLflow, by version 2.0 of its REST API. */
final class MlflowServer {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String API = "/api/2.0/mlflow/";
  private static final String PROXIED = "mlflow-artifacts:/";
  private static final int NOT_FOUND = 404;

  private final URI server;
  private final Optional<String> authorization;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  /**
   * @param environment with the variables by which MLflow's own client signs in
   * @throws UsageException if the address is none of HTTP
   */
  MlflowServer(String address, Map<String, String> environment) {
    String plain = address.replaceFirst("/+$", "");
    if (!plain.matches("https?://[^/?#\\s@]+(/[^?#\\s]*)?")) {
      throw new UsageException(
          "--log-to mlflow "
              + address
              + ": is no address such as http://127.0.0.1:5000; who needs to sign in sets"
              + " MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD");
    }
    server = URI.create(plain);
    authorization = authorization(environment);
  }

  private static Optional<String> authorization(Map<String, String> environment) {
    String token = environment.getOrDefault("MLFLOW_TRACKING_TOKEN", "");
    String name = environment.getOrDefault("MLFLOW_TRACKING_USERNAME", "");
    String password = environment.getOrDefault("MLFLOW_TRACKING_PASSWORD", "");
    if (!token.isEmpty()) {
      return Optional.of("Bearer " + token);
    }
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Basic "
                + Base64.getEncoder()
                    .encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8)));
  }

  /** The id of the experiment of this name, which is made if there is none. */
  String experiment(String name) throws IOException {
    String query = "?experiment_name=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    HttpResponse<String> known = send(request(API + "experiments/get-by-name" + query).GET());
    if (known.statusCode() != NOT_FOUND) {
      JsonNode experiment = json(known).path("experiment");
      if (experiment.path("lifecycle_stage").asString("").equals("deleted")) {
        throw new IOException(
            "MLflow at %s has deleted the experiment '%s'; restore it there"
                .formatted(server, name));
      }
      return experiment.path("experiment_id").asString();
    }
    return post("experiments/create", Json.object().put("name", name))
        .path("experiment_id")
        .asString();
  }

  /** Asks for something to be done, such as {@code runs/create}. */
  ObjectNode post(String what, ObjectNode body) throws IOException {
    HttpRequest.Builder request = request(API + what).header("Content-Type", "application/json");
    return json(send(request.POST(BodyPublishers.ofString(body.toString()))));
  }

  /** Whether the server takes files of a run with this place for them. */
  static boolean takesFiles(String place) {
    return place.startsWith(PROXIED);
  }

  /**
   * Leaves a file with a run.
   *
   * @param place of the run's files, as the server says it
   * @param name within it, with slashes
   */
  void put(String place, String name, Path file) throws IOException {
    // The host in mlflow-artifacts://host/path is that of the server, if one is named at all.
    String path = URI.create(place).getPath() + "/" + name;
    BodyPublisher body = BodyPublishers.ofFile(file);
    String target = "/api/2.0/mlflow-artifacts/artifacts" + path;
    json(send(request(target).header("Content-Type", "application/octet-stream").PUT(body)));
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path)).timeout(PATIENCE);
    authorization.ifPresent(value -> request.header("Authorization", value));
    return request;
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      String why = e.getMessage() == null ? "it does not answer" : e.getMessage();
      throw new IOException("MLflow at " + server + ": " + why, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("MLflow at " + server + ": interrupted", e);
    }
  }

  private ObjectNode json(HttpResponse<String> answer) throws IOException {
    try {
      ObjectNode json = Json.read(answer.body().isBlank() ? "{}" : answer.body());
      if (answer.statusCode() / 100 == 2) {
        return json;
      }
      throw refused(answer, json.path("message").asString(""));
    } catch (JacksonException e) {
      throw refused(answer, "");
    }
  }

  private IOException refused(HttpResponse<String> answer, String message) {
    return new IOException(
        "MLflow at %s answered %s with %d%s"
            .formatted(
                server,
                answer.request().uri().getPath(),
                answer.statusCode(),
                message.isEmpty() ? "" : ": " + message.lines().findFirst().orElse("")));
  }
}
