package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Malformed sweeps, JSON, paths and headers, made from good ones by seeded mutation: every answer
 * is one of those that are described, none is a 500 or has a word of Java in it, and memory does
 * not grow. So many requests by default; {@code -Dmutune.fuzz.minutes=10} goes on for that long,
 * and {@code -Dmutune.fuzz.seed} repeats a run.
 */
class ApiFuzzTest {
  private static final int REQUESTS = 400;
  private static final int WARM_UP = 150;
  private static final long MOST_GROWTH = 24L << 20;
  private static final Set<Integer> EXPECTED =
      Set.of(200, 201, 204, 400, 401, 403, 404, 405, 409, 413, 414, 415, 431, 503);
  private static final List<String> SWEEPS =
      List.of("quickstart", "linear-scaling", "adamix", "private-mean", "pate");
  private static final List<String> PIECES =
      List.of(
          ("&a , *a, <<: *a, !!java.net.URL [http://x], !!binary AAAA, ? , : , - , {, }, [, ], \","
                  + " ', |\n, >\n, %YAML 9.9\n---\n, ---\n, ...\n, \t, \0, \u2028, \ud83d, \uffff,"
                  + " ${HOME}, ${, 1e999, -1, NaN, .inf, 0x7fffffff, 9223372036854775808, 1e-320,"
                  + " null, ~, true, ../../etc/passwd, /dev/zero, /proc/self/environ, \\u0000,"
                  + " \\ud800, epsilon: 1e308, steps: 2147483647, trials: 999999999, rows: 1,"
                  + " classes: 1000000000")
              .split(", "));

  @TempDir private Path folder;

  private Random random = new Random(0);
  private List<String> seeds = List.of();

  @Test
  void nothingThatIsSent_breaksTheServer() throws IOException {
    long seed = Long.getLong("mutune.fuzz.seed", 20261122);
    long minutes = Long.getLong("mutune.fuzz.minutes", 0);
    System.out.println("seed " + seed);
    random = new Random(seed);
    List<String> texts = new ArrayList<>();
    for (String sweep : SWEEPS) {
      texts.add(Files.readString(TestServer.ROOT.resolve("sweeps/" + sweep + ".yaml")));
    }
    texts.add("{\"version\": 1, \"name\": \"json\", \"data\": {\"private\": {}}}");
    seeds = List.copyOf(texts);
    ServerSettings.Limits limits = new ServerSettings.Limits(1 << 20, 3, 10, 2, 30, 10, 30, 60);
    try (TestServer server = TestServer.limited(folder, limits)) {
      long before = 0;
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
      int sent = 0;
      int taken = 0;
      while (sent < REQUESTS || System.nanoTime() < end) {
        if (sent == WARM_UP) {
          before = heap();
        }
        HttpResponse<String> answer = send(server);
        check(answer);
        if (answer.statusCode() == 201) {
          taken++;
          cancel(server, answer);
        }
        sent++;
      }
      long growth = heap() - before;
      System.out.printf(
          "%d requests, %d of them sent once more, %d sweeps taken, heap grew by %d KiB%n",
          sent, server.resent(), taken, growth / 1024);
      assertThat(growth).isLessThan(MOST_GROWTH);
      assertThat(server.get("/health", "").statusCode()).isEqualTo(200);
      assertThat(String.join("\n", server.said)).doesNotContain("bug in Mutune");
    }
  }

  private HttpResponse<String> send(TestServer server) throws IOException {
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> sweep(server, "/api/v1/plans");
      case 4, 5 -> sweep(server, "/api/v1/studies");
      case 6 ->
          server.post(
              "/api/v1/studies/" + word() + "/" + pick(List.of("cancel", "pause", "resume")),
              server.submit,
              "application/json",
              mutated("{\"reason\": \"enough\", \"more\": [1, {\"a\": null}]}"));
      case 7 -> server.get("/api/v1/studies?limit=" + word(), server.read);
      case 8 ->
          server.get(
              "/api/v1/studies/" + word() + pick(List.of("", "/ledger", "/result", "/x")),
              server.read);
      case 9 ->
          server.get(
              "/api/v1/accounts/" + word() + pick(List.of("", "/history", "/x")), server.read);
      case 10 ->
          server.post(
              "/api/v1/accounts",
              server.admin,
              random.nextInt(8) == 0 ? "text/plain" : "application/json",
              mutated(
                  "{\"name\": \"a%d\", %s, \"adjacency\": \"add-remove\", \"rowsFingerprint\": \"x\"}"
                      .formatted(
                          random.nextInt(50),
                          pick(List.of("\"mu\": 1.5", "\"epsilon\": 2, \"delta\": 1e-6")))));
      default ->
          server.send(
              server
                  .request("/session", "")
                  .header("Authorization", "Bearer " + word())
                  .header("Cookie", "mutune-" + server.port() + "=" + word())
                  .header("Origin", server.origin())
                  .POST(HttpRequest.BodyPublishers.noBody()));
    };
  }

  private HttpResponse<String> sweep(TestServer server, String path) throws IOException {
    String type = random.nextInt(5) == 0 ? "application/json" : "application/yaml";
    byte[] bytes = mutated(pick(seeds)).getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(8) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return server.post(path, server.submit, type, bytes);
  }

  private String mutated(String text) {
    StringBuilder changed = new StringBuilder(text);
    for (int change = random.nextInt(4); change >= 0 && !changed.isEmpty(); change--) {
      int at = random.nextInt(changed.length());
      switch (random.nextInt(7)) {
        case 0 -> changed.insert(at, pick(PIECES));
        case 1 -> changed.delete(at, Math.min(changed.length(), at + random.nextInt(40)));
        case 2 -> changed.setLength(at + 1);
        case 3 -> changed.setCharAt(at, (char) (32 + random.nextInt(95)));
        case 4 -> {
          String other = pick(seeds);
          changed.insert(at, other, 0, random.nextInt(other.length()));
        }
        case 5 -> changed.insert(at, pick(PIECES).repeat(1 + random.nextInt(3000)));
        default -> replaceValue(changed, at);
      }
    }
    return changed.isEmpty() ? "x" : changed.toString();
  }

  /** The rest of a line after its colon. */
  private void replaceValue(StringBuilder text, int from) {
    int colon = text.indexOf(": ", from);
    int end = colon < 0 ? -1 : text.indexOf("\n", colon);
    if (end > 0) {
      text.replace(colon + 2, end, pick(PIECES));
    }
  }

  /** For a path or a header, where not every character may stand. */
  private String word() {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(40); i >= 0; i--) {
      word.append(
          random.nextInt(4) == 0
              ? String.format("%%%02x", random.nextInt(256))
              : pick(List.of("a", "0", "-", ".", "~", "_", "f", "..;", "1")));
    }
    return word.toString();
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private static void check(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isIn(EXPECTED);
    assertThat(answer.body())
        .doesNotContain("Exception")
        .doesNotContain("\tat ")
        .doesNotContain("java.lang")
        .doesNotContain("io.mutune");
    if (answer.statusCode() >= 400) {
      assertThat(Json.read(answer.body()).path("status").asInt()).isEqualTo(answer.statusCode());
    }
  }

  private static void cancel(TestServer server, HttpResponse<String> answer) throws IOException {
    String study = Json.read(answer.body()).path("study").asString();
    server.post("/api/v1/studies/" + study + "/cancel", server.submit, "application/json", "");
  }

  private static long heap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
