package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.setting.OneLine;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.lang3.StringUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A tracking server of MLflow, by version 2.0 of its REST API. */
final class MlflowServer {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long LOOK_MILLIS = 100;
  private static final String API = "/api/2.0/mlflow/";
  private static final String PROXIED = "mlflow-artifacts:/";
  private static final int NOT_FOUND = 404;

  /** Of what is told of a failure. */
  private static final int MOST_CHARACTERS = 500;

  private final URI server;
  private final Optional<String> authorization;
  private final Interruption interruption;
  private final Duration patience;

  /** Whether the study was interrupted, and came to its end all the same. */
  private boolean wasRequested;

  private final HttpClient client = HttpClient.newHttpClient();

  /**
   * @param environment with the variables by which MLflow's own client signs in
   * @param interruption that ends a request
   * @param patience how long a request may take, with all of its answer
   * @throws UsageException if the address is none of HTTP, or the token is none
   */
  MlflowServer(
      String address,
      Map<String, String> environment,
      Interruption interruption,
      Duration patience) {
    server = server(address);
    authorization = authorization(environment);
    this.interruption = interruption;
    this.patience = patience;
  }

  private static URI server(String address) {
    String plain = address.replaceFirst("/+$", "");
    try {
      if (plain.matches("https?://[^/?#\\s@]+(/[^?#\\s]*)?")) {
        return HttpRequest.newBuilder(URI.create(plain)).build().uri();
      }
    } catch (IllegalArgumentException e) {
      // It is none, or its host has no name that Java's client takes.
    }
    throw new UsageException(
        "--log-to mlflow: its URI is no address such as http://127.0.0.1:5000; who needs to sign in sets"
            + " MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD");
  }

  private static Optional<String> authorization(Map<String, String> environment) {
    String token = environment.getOrDefault("MLFLOW_TRACKING_TOKEN", "");
    String name = environment.getOrDefault("MLFLOW_TRACKING_USERNAME", "");
    String password = environment.getOrDefault("MLFLOW_TRACKING_PASSWORD", "");
    if (token.chars().anyMatch(c -> c < ' ' || c > '~')) {
      // Java's client would refuse it and quote it.
      throw new UsageException(
          "MLFLOW_TRACKING_TOKEN has a character that no token has, such as a line break");
    }
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
        throw failure("it has deleted the experiment '%s'; restore it there".formatted(name));
      }
      return id("experiment_id", experiment);
    }
    return id("experiment_id", post("experiments/create", Json.object().put("name", name)));
  }

  /** What the server calls something, by the key of its answer that says so. */
  String id(String key, JsonNode answer) throws IOException {
    String id = answer.path(key).asString("");
    if (id.isEmpty()) {
      throw failure("its answer has no " + key + ", so it is no MLflow server");
    }
    return id;
  }

  /** From here on an interruption is one of the logging. */
  void beginLog() {
    wasRequested = interruption.requested();
  }

  private boolean isInterrupted() {
    return interruption.requested() && !wasRequested;
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
    String path;
    try {
      path = URI.create(place).getRawPath() + "/" + name;
    } catch (IllegalArgumentException e) {
      throw failure("it keeps files at '" + place + "', which is no address");
    }
    BodyPublisher body = BodyPublishers.ofFile(file);
    String target = "/api/2.0/mlflow-artifacts/artifacts" + path;
    json(send(request(target).header("Content-Type", "application/octet-stream").PUT(body)));
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
    authorization.ifPresent(value -> request.header("Authorization", value));
    return request;
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    if (isInterrupted()) {
      throw failure("interrupted");
    }
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(request.build(), headers -> new ShortText());
    long begun = System.nanoTime();
    try {
      while (!isInterrupted() && System.nanoTime() - begun < patience.toNanos()) {
        try {
          return answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          // Looks whether to go on.
        }
      }
      throw failure(
          isInterrupted()
              ? "interrupted"
              : "its answer is not whole after " + patience.toSeconds() + " s");
    } catch (ExecutionException e) {
      String message = e.getCause() == null ? null : e.getCause().getMessage();
      throw failure(message == null ? "it does not answer" : message);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("interrupted");
    } finally {
      answer.cancel(true);
    }
  }

  /** An answer's body; a longer one is none of MLflow's. */
  private static final class ShortText implements BodySubscriber<String> {
    private static final int MOST_BYTES = 1 << 20;

    private final BodySubscriber<String> text = BodySubscribers.ofString(StandardCharsets.UTF_8);
    private Optional<Subscription> subscription = Optional.empty();
    private long left = MOST_BYTES;

    @Override
    public CompletionStage<String> getBody() {
      return text.getBody();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      this.subscription = Optional.of(subscription);
      text.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
      left -= part.stream().mapToInt(ByteBuffer::remaining).sum();
      if (left < 0) {
        subscription.ifPresent(Subscription::cancel);
        onError(new IOException("its answer has more than " + MOST_BYTES + " bytes"));
      } else {
        text.onNext(part);
      }
    }

    @Override
    public void onError(Throwable e) {
      text.onError(e);
    }

    @Override
    public void onComplete() {
      text.onComplete();
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
    return failure(
        "it answered %s with %d%s"
            .formatted(
                answer.request().uri().getPath(),
                answer.statusCode(),
                message.isEmpty() ? "" : ": " + message.lines().findFirst().orElse("")));
  }

  /** In a line of words, among which the server's own may be. */
  private IOException failure(String what) {
    String line = OneLine.of("MLflow at " + server + ": " + what);
    return new IOException(StringUtils.abbreviate(line, MOST_CHARACTERS));
  }
}
