package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.metrics.MutuneMetrics;
import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.schedule.Worker;
import io.mutune.orchestrator.store.RegisteredSets;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.node.ObjectNode;

/** A whole server on a free port of loopback, with a token of each role. */
public final class TestServer implements AutoCloseable {
  static final Path ROOT = Path.of(System.getProperty("mutune.root", ".."));

  /** Those that are usual, but for a machine so busy that a look into the store takes long. */
  private static final ServerSettings.Limits LIMITS =
      new ServerSettings.Limits(1 << 20, 100, 60, 2, 30, 10, 30, 60);

  private static final Duration PATIENCE = Duration.ofSeconds(300);

  final TokenFile tokens;
  public final String read;
  public final String submit;
  final String admin;
  final Path studies;
  public final StudyStore store;

  /** What went to standard error of whoever runs the server. */
  final List<String> said = new CopyOnWriteArrayList<>();

  private final Path data;
  private final StudyQueue queue;
  private final MutuneServer server;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final DescribedAnswers described = new DescribedAnswers();
  private final int port;
  private int resent;

  private TestServer(Path folder, Path data, ServerSettings.Limits limits) throws IOException {
    this.data = data;
    studies = folder.resolve("runs");
    tokens = new TokenFile(studies.resolve(TokenFile.NAME));
    read = tokens.create("reader", Role.READ);
    submit = tokens.create("submitter", Role.SUBMIT);
    admin = tokens.create("keeper", Role.ADMIN);
    store = Stores.open(studies.resolve("mutune.db"));
    queue =
        new StudyQueue(
            store,
            studies,
            Optional.of(
                Worker.open(
                    store,
                    new StoreLocation.File(studies.resolve("mutune.db")),
                    Engine.standard(),
                    1,
                    said::add)));
    ServerSettings settings =
        new ServerSettings(
            InetAddress.getLoopbackAddress(), 0, List.of(), ServerSettings.ACCOUNT_DELTA, limits);
    server = new MutuneServer(settings, store, queue, studies, tokens, null, new MutuneMetrics());
    port = server.start().getPort();
  }

  /** With the folder of sweeps open. */
  public static TestServer in(Path folder) throws IOException {
    TestServer server = with(folder, ROOT.resolve("sweeps"));
    RegisteredSets.register(server.store, ROOT.resolve("sweeps"), "digits", quickstart());
    return server;
  }

  public static TestServer with(Path folder, Path data) throws IOException {
    return new TestServer(folder, data, LIMITS);
  }

  static TestServer limited(Path folder, ServerSettings.Limits limits) throws IOException {
    TestServer server = new TestServer(folder, ROOT.resolve("sweeps"), limits);
    RegisteredSets.register(server.store, ROOT.resolve("sweeps"), "digits", quickstart());
    return server;
  }

  /** The sweep to begin with, with so few steps that it takes no time. */
  static String sweep(int steps) throws IOException {
    return RegisteredSets.naming("digits", quickstart()).replace("steps: 100", "steps: " + steps);
  }

  /** The same with its files in place, as whoever holds them may have it. */
  static String inPlace(int steps) throws IOException {
    return quickstart().replace("steps: 100", "steps: " + steps);
  }

  private static String quickstart() throws IOException {
    return Files.readString(ROOT.resolve("sweeps/quickstart.yaml"));
  }

  public String origin() {
    return "http://127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  public HttpResponse<String> get(String path, String token) throws IOException {
    return send(request(path, token).GET());
  }

  HttpResponse<String> delete(String path, String token) throws IOException {
    return send(request(path, token).DELETE());
  }

  HttpResponse<String> post(String path, String token, String type, String body)
      throws IOException {
    return post(path, token, type, body.getBytes(StandardCharsets.UTF_8));
  }

  HttpResponse<String> post(String path, String token, String type, byte[] body)
      throws IOException {
    return send(
        request(path, token)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  /** The same sweep with the name of a data set, registered by what the sweep says in place. */
  String registered(String sweep) {
    return RegisteredSets.sweep(store, data, sweep);
  }

  /** Submits a sweep, whose data are registered first where it names them in place. */
  public HttpResponse<String> submit(String sweep) throws IOException {
    return post("/api/v1/studies", submit, "application/yaml", registered(sweep));
  }

  HttpRequest.Builder request(String path, String token) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(origin() + path)).timeout(PATIENCE);
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  /** How many requests were sent once more. */
  int resent() {
    return resent;
  }

  /**
   * An answer. A server that refuses a path, as malformed or of nothing, may close the connection
   * with the body unread, and what it said may be lost to a client that is still sending: then the
   * same is sent once more without the body, and must be refused as that. (To offer the body by
   * Expect is no way: Java's client may then wait for ever.) Each is as docs/openapi.yaml has it.
   */
  HttpResponse<String> send(HttpRequest.Builder builder) throws IOException {
    HttpResponse<String> answer = sent(builder);
    described.check(answer);
    return answer;
  }

  private HttpResponse<String> sent(HttpRequest.Builder builder) throws IOException {
    HttpRequest request = builder.build();
    try {
      try {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
      } catch (IOException e) {
        if (request.bodyPublisher().filter(body -> body.contentLength() > 0).isEmpty()) {
          throw e;
        }
        resent++;
        HttpRequest again =
            builder.method(request.method(), HttpRequest.BodyPublishers.noBody()).build();
        HttpResponse<String> answer = client.send(again, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isIn(400, 404);
        return answer;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What comes back for these very bytes. */
  String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Waits until a study stands somewhere else than it does. */
  ObjectNode untilState(String study, String state) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      ObjectNode status = Json.read(get("/api/v1/studies/" + study, read).body());
      if (status.path("state").asString("").equals(state)) {
        return status;
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("it never came to be " + state + ": " + status);
      }
      pause();
    }
  }

  /** Waits for a line, which comes after the state of which it tells. */
  void untilSaid(String line) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!said.contains(line)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it never said " + line + ": " + said);
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    queue.close();
    store.close();
  }
}
