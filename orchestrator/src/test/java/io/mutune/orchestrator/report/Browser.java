package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.Json;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Chromium without a window, driven by its own protocol over the JDK's web socket. It notes every
 * request, error and refusal of a page.
 */
public final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");
  private static final Duration PATIENCE = Duration.ofSeconds(300);

  private static final String SERIOUS =
      """
      axe.run(document, {resultTypes: ['violations']}).then(found => found.violations
          .filter(v => ['serious', 'critical'].includes(v.impact))
          .map(v => v.id + ': ' + v.nodes.map(n => n.html).slice(0, 3).join(' ')))
      """;

  private final Process process;
  private final Path profile;
  private final WebSocket socket;
  private final BlockingQueue<ObjectNode> messages = new LinkedBlockingQueue<>();

  /** What was asked for over the network or from files. */
  public final List<String> requests = new ArrayList<>();

  /** Errors on the console, exceptions, and what the content security policy refused. */
  public final List<String> complaints = new ArrayList<>();

  private int asked;

  private Browser(Path binary) throws IOException {
    profile = Files.createTempDirectory("mutune-browser");
    process =
        new ProcessBuilder(
                binary.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String port = Files.readAllLines(await(profile.resolve("DevToolsActivePort"))).get(0);
    HttpClient client = HttpClient.newHttpClient();
    socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(page(client, port)), new Listener())
            .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .join();
    for (String domain : List.of("Page", "Network", "Runtime", "Log")) {
      ask(domain + ".enable", Json.object());
    }
  }

  /** Empty where no browser is on the path. */
  public static Optional<Path> installed() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  public static Browser open(Path binary) throws IOException {
    return new Browser(binary);
  }

  private Path await(Path file) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.isRegularFile(file) || Files.readAllLines(file).size() < 2) {
      if (System.nanoTime() > end || !process.isAlive()) {
        throw new IOException("the browser did not start");
      }
      pause();
    }
    return file;
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String page(HttpClient client, String port) throws IOException {
    try {
      String targets =
          client
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      return Json.read("{\"targets\":" + targets + "}")
          .path("targets")
          .valueStream()
          .filter(target -> target.path("type").asString().equals("page"))
          .findFirst()
          .orElseThrow()
          .path("webSocketDebuggerUrl")
          .asString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Sets the size of what is seen, in CSS pixels. */
  public void size(int width, int height) {
    ask(
        "Emulation.setDeviceMetricsOverride",
        Json.object()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", width < 600));
  }

  /** Sets which colours whoever looks prefers. */
  public void dark(boolean preferred) {
    ObjectNode parameters = Json.object();
    parameters
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", preferred ? "dark" : "light");
    ask("Emulation.setEmulatedMedia", parameters);
  }

  void scripts(boolean run) {
    ask("Emulation.setScriptExecutionDisabled", Json.object().put("value", !run));
  }

  /** Opens a page and waits until it has loaded. */
  public void load(Path file) {
    load(file.toUri());
  }

  public void load(URI page) {
    requests.clear();
    complaints.clear();
    ask("Page.navigate", Json.object().put("url", page.toString()));
    untilLoaded();
  }

  /** Evaluates what makes a page load itself anew, and waits until it has. */
  public void reload(String expression) {
    value(expression);
    untilLoaded();
  }

  private void untilLoaded() {
    until(message -> message.path("method").asString("").equals("Page.loadEventFired"));
  }

  /** The value of an expression, as JSON. */
  public JsonNode value(String expression) {
    ObjectNode answer =
        ask(
            "Runtime.evaluate",
            Json.object()
                .put("expression", expression)
                .put("returnByValue", true)
                .put("awaitPromise", true));
    if (answer.path("result").has("exceptionDetails")) {
      throw new IllegalStateException(answer.toString());
    }
    return answer.path("result").path("result").path("value");
  }

  /** Presses a key and lets it go, wherever the focus is: Tab, Enter, or a character's name. */
  public void key(String name) {
    boolean enter = name.equals("Enter");
    ObjectNode down = Json.object().put("type", enter ? "keyDown" : "rawKeyDown").put("key", name);
    down.put("code", name).put("windowsVirtualKeyCode", enter ? 13 : 9);
    ask("Input.dispatchKeyEvent", enter ? down.put("text", "\r") : down);
    ask("Input.dispatchKeyEvent", down.deepCopy().put("type", "keyUp"));
  }

  /** Types a text wherever the focus is. */
  public void type(String text) {
    ask("Input.insertText", Json.object().put("text", text));
  }

  /**
   * What axe finds that is serious, or worse, in the dark and in the light. The script is given to
   * the page by the browser, which its policy does not bind.
   */
  public List<String> violations() throws IOException {
    try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
      String axe =
          new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
      value(axe + ";1");
    }
    List<String> found = new ArrayList<>();
    for (boolean dark : new boolean[] {true, false}) {
      dark(dark);
      value(SERIOUS)
          .forEach(one -> found.add((dark ? "in the dark: " : "in the light: ") + one.asString()));
    }
    return found;
  }

  /** What the page looks like, all of it, as a PNG. */
  public void picture(Path file) throws IOException {
    ObjectNode answer =
        ask("Page.captureScreenshot", Json.object().put("captureBeyondViewport", true));
    String png = answer.path("result").path("data").asString();
    Files.write(file, Base64.getDecoder().decode(png));
  }

  ObjectNode ask(String method, ObjectNode parameters) {
    int id = ++asked;
    ObjectNode message = Json.object().put("id", id).put("method", method);
    message.set("params", parameters);
    socket.sendText(message.toString(), true).join();
    ObjectNode answer = until(reply -> reply.path("id").asInt(-1) == id);
    if (answer.has("error")) {
      throw new IllegalStateException(method + ": " + answer);
    }
    return answer;
  }

  private ObjectNode until(Predicate<ObjectNode> wanted) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (true) {
        ObjectNode message = messages.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (message == null) {
          throw new IllegalStateException("what the browser was to say never came");
        }
        note(message);
        if (wanted.test(message)) {
          return message;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void note(ObjectNode message) {
    JsonNode said = message.path("params");
    switch (message.path("method").asString("")) {
      case "Network.requestWillBeSent" -> requests.add(said.path("request").path("url").asString());
      case "Runtime.exceptionThrown" -> complaints.add(said.toString());
      case "Runtime.consoleAPICalled" -> {
        if (List.of("error", "warning", "assert").contains(said.path("type").asString())) {
          complaints.add(said.toString());
        }
      }
      case "Log.entryAdded" -> complaints.add(said.toString());
      default -> {
        // Of no interest here.
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    deleteProfile();
  }

  /** The browser's children may still write while they end. */
  private void deleteProfile() throws IOException {
    for (int attempt = 0; attempt < 50 && Files.exists(profile); attempt++) {
      try (Stream<Path> tree = Files.walk(profile)) {
        for (Path path : (Iterable<Path>) tree.sorted(Comparator.reverseOrder())::iterator) {
          Files.deleteIfExists(path);
        }
      } catch (IOException | UncheckedIOException e) {
        pause();
      }
    }
  }

  /** Gathers the parts of a message. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        messages.add(Json.read(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }
}
