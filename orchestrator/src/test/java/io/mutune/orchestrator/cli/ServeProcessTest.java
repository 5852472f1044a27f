package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.server.Role;
import io.mutune.orchestrator.server.TokenFile;
import io.mutune.orchestrator.store.RegisteredSets;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.testing.Thorough;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune serve} as a process: killed, started again, ended by a signal. */
@Timeout(300)
class ServeProcessTest {
  private static final Path SWEEPS =
      Path.of(System.getProperty("mutune.root", "..")).resolve("sweeps");

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path folder;

  private String token = "";
  private int port;

  @BeforeEach
  void prepare() throws IOException {
    token = new TokenFile(runs().resolve(TokenFile.NAME)).create("test", Role.SUBMIT);
  }

  private Path runs() {
    return folder.resolve("runs");
  }

  private MutuneProcess serve() throws IOException, SQLException {
    MutuneProcess process =
        MutuneProcess.start(
            "serve", "--output", runs().toString(), "--port", Integer.toString(port));
    process.until(() -> process.output().contains("http://"));
    port = URI.create(process.output().replaceFirst("(?s).*?(http://\\S+).*", "$1")).getPort();
    process.until(this::answers);
    return process;
  }

  private boolean answers() {
    try {
      return ask("GET", "/health", "").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private HttpResponse<String> ask(String method, String path, String body) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/yaml")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private String submitted(int steps) throws IOException {
    String sweep =
        Files.readString(SWEEPS.resolve("quickstart.yaml"))
            .replace("steps: 100", "steps: " + steps);
    String named;
    try (StudyStore store = Stores.open(runs().resolve("mutune.db"))) {
      named = RegisteredSets.sweep(store, SWEEPS, sweep);
    }
    HttpResponse<String> answer = ask("POST", "/api/v1/studies", named);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return Json.read(answer.body()).path("study").asString();
  }

  private boolean status(String study, Predicate<ObjectNode> wanted) {
    try {
      return wanted.test(Json.read(ask("GET", "/api/v1/studies/" + study, "").body()));
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean hasSteps(JsonNode status) {
    return status.path("runs").valueStream().anyMatch(run -> run.path("stepsBegun").asInt() > 0);
  }

  @Test
  @Thorough
  void aKilledServer_picksUpWhereItWas() throws IOException, InterruptedException, SQLException {
    String study;
    String waiting;
    try (MutuneProcess first = serve()) {
      study = submitted(1000);
      waiting = submitted(5);
      first.until(() -> status(study, ServeProcessTest::hasSteps));
      assertThat(first.kill()).isTrue();
    }
    port = 0; // another process may have it by now
    try (MutuneProcess second = serve()) {
      for (String each : List.of(study, waiting)) {
        second.until(
            () -> status(each, status -> status.path("state").asString().equals("finished")));
        ObjectNode ledger = Json.read(ask("GET", "/api/v1/studies/" + each + "/ledger", "").body());
        assertThat(ledger.path("charges").valueStream().map(c -> c.path("what").asString()))
            .contains("trial 1", "trial 2", "trial 3", "final")
            .doesNotHaveDuplicates();
        assertThat(ask("GET", "/api/v1/studies/" + each + "/report.html", "").statusCode())
            .isEqualTo(200);
      }
      second.signal("TERM");
      CommandRun ended = second.end();
      assertThat(ended.status()).as(ended.err()).isZero();
    }
  }

  @Test
  void aSignal_endsItCleanlyInTheMidstOfAStudy()
      throws IOException, InterruptedException, SQLException {
    assumeFalse(
        MutuneProcess.ignoresInterrupts(),
        "SIGINT is ignored here, and so by every child: run in the foreground of a shell");
    try (MutuneProcess process = serve()) {
      String study = submitted(100_000);
      process.until(() -> status(study, ServeProcessTest::hasSteps));
      process.signal("INT");
      CommandRun ended = process.end();

      assertThat(ended.status()).as(ended.err()).isZero();
      assertThat(ended.out()).contains("mutune serves on http://127.0.0.1:" + port + "/");
      assertThat(ended.err())
          .contains("what is not finished goes on at the next start")
          .doesNotContain("Exception");
    }
  }

  @Test
  void aPortThatCannotBeHad_isSaidInALine() throws IOException {
    String[] serve = {"serve", "--output", runs().toString(), "--port", ""};
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      serve[4] = Integer.toString(other.getLocalPort());
      assertThat(CommandRun.of(serve).failedWith(ExitCode.INVALID))
          .contains("port " + serve[4] + " cannot be listened on");
    }
    serve[4] = "65536";
    assertThat(CommandRun.of(serve).failedWith(ExitCode.INVALID)).contains("--port must be");
  }

  @Test
  void withoutATokenAndBeyondLoopback_itDoesNotStart() throws IOException, InterruptedException {
    try (MutuneProcess process =
        MutuneProcess.start(
            "serve",
            "--output",
            folder.resolve("other").toString(),
            "--bind",
            "0.0.0.0",
            "--port",
            Integer.toString(port))) {
      CommandRun ended = process.end();
      assertThat(ended.status()).isEqualTo(ExitCode.INVALID);
      assertThat(ended.err()).contains("mutune token create --role admin");
    }
  }
}
