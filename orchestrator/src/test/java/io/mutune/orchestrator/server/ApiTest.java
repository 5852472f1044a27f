package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.StudyHold;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.sweep.SweepContext;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** What the API answers to those who may ask. */
class ApiTest {
  private static final String STUDIES = "/api/v1/studies";

  @TempDir private static Path folder;

  @AutoClose private static TestServer server;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.in(folder);
  }

  private static String submitted(int steps) throws IOException {
    HttpResponse<String> answer = server.submit(TestServer.sweep(steps));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    String study = Json.read(answer.body()).path("study").asString();
    assertThat(answer.headers().firstValue("Location")).contains(STUDIES + "/" + study);
    return study;
  }

  @Test
  void aSubmittedStudy_finishesAndShowsWhatItReleased() throws IOException {
    String study = submitted(5);
    ObjectNode status = server.untilState(study, "finished");
    String path = STUDIES + "/" + study;

    assertThat(status.path("runs").size()).isEqualTo(4);
    assertThat(status.path("spent").path("epsilon").asDouble()).isBetween(2.0, 3.0);
    ObjectNode statement = Json.read(server.get(path + "/statement", server.read).body());
    assertThat(statement.path("guarantee").asString()).isEqualTo("holds");
    assertThat(statement.path("charges").size()).isEqualTo(7);
    assertThat(statement.path("ledger").path("entries").asInt()).isGreaterThanOrEqualTo(7);
    assertThat(statement.path("ledger").path("head").asString()).matches("[0-9a-f]{64}");
    ObjectNode ledger = Json.read(server.get(path + "/ledger", server.read).body());
    assertThat(ledger.path("charges").valueStream().map(c -> c.path("what").asString()))
        .containsExactlyInAnyOrder(
            "trial 1", "score 1", "trial 2", "score 2", "trial 3", "score 3", "final");
    ObjectNode result = Json.read(server.get(path + "/result", server.read).body());
    assertThat(result.path("study").asString()).isEqualTo(study);
    HttpResponse<String> report = server.get(path + "/report.html", server.read);
    assertThat(report.headers().firstValue("Content-Type")).contains("text/html;charset=utf-8");
    assertThat(report.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("sandbox allow-scripts;");
    assertThat(report.body()).contains("What is guaranteed").contains(study);
    assertThat(server.get(path + "/sweep", server.read).body()).isEqualTo(TestServer.sweep(5));
    ObjectNode list = Json.read(server.get(STUDIES + "?limit=1", server.read).body());
    assertThat(list.path("studies").size()).isEqualTo(1);
  }

  @Test
  void aLedgerThatWasChanged_isNotStatedFrom() throws Exception {
    String study = submitted(5);
    server.untilState(study, "finished");
    try (Connection database =
            DriverManager.getConnection("jdbc:sqlite:" + server.studies.resolve("mutune.db"));
        Statement change = database.createStatement()) {
      change.execute("DROP TRIGGER charge_is_never_refunded");
      String delete = "DELETE FROM charge WHERE what = 'score 2' AND study = '" + study + "'";
      assertThat(change.executeUpdate(delete)).isEqualTo(1);
    }
    HttpResponse<String> answer = server.get(STUDIES + "/" + study + "/statement", server.read);
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("the store is damaged").doesNotContain("epsilon");
  }

  @Test
  void noAnswer_saysWhereThingsAreOnThisMachine() throws IOException {
    String study = submitted(5);
    server.untilState(study, "finished");
    for (String path :
        List.of("", "/statement", "/ledger", "/result", "/charts", "/report.html", "/sweep")) {
      assertThat(server.get(STUDIES + "/" + study + path, server.read).body())
          .as(path)
          .doesNotContain(folder.toString())
          .doesNotContain(TestServer.ROOT.toRealPath().toString());
    }
  }

  /** Whoever else may write there could have it lead to any file of the server's user. */
  @Test
  void aLinkAmongTheResults_isNotFollowed() throws IOException {
    String study = submitted(5);
    server.untilState(study, "finished");
    String report = STUDIES + "/" + study + "/report.html";
    assertThat(server.get(report, server.read).statusCode()).isEqualTo(200);
    Path results = server.store.study(study).orElseThrow().output();
    Path elsewhere = folder.resolve("elsewhere-" + study);

    Files.move(results, elsewhere);
    Files.createSymbolicLink(results, elsewhere);
    assertThat(server.get(report, server.read).statusCode()).isEqualTo(404);

    Files.delete(results);
    Files.move(elsewhere, results);
    String charts = STUDIES + "/" + study + "/charts";
    assertThat(server.get(charts, server.read).statusCode()).isEqualTo(200);
    for (String name : List.of("report.html", "statement.json")) {
      Path outside = folder.resolve(study + name);
      Files.move(results.resolve(name), outside);
      Files.createSymbolicLink(results.resolve(name), outside);
    }
    assertThat(server.get(report, server.read).statusCode()).isEqualTo(404);
    assertThat(server.get(charts, server.read).statusCode()).isEqualTo(404);
  }

  @Test
  void aPlan_isComputedAndNothingIsKept() throws IOException {
    int before = server.store.studies().size();
    HttpResponse<String> answer =
        server.post("/api/v1/plans", server.submit, "application/yaml", TestServer.sweep(7));

    assertThat(answer.statusCode()).isEqualTo(200);
    ObjectNode plan = Json.read(answer.body());
    assertThat(plan.path("charges").size()).isEqualTo(7);
    assertThat(plan.path("budget").path("epsilon").asDouble()).isEqualTo(3.0);
    assertThat(server.store.studies()).hasSize(before);
  }

  @Test
  void aSweepWithMistakes_isRefusedWithAllOfThemByLine() throws IOException {
    int before = server.store.studies().size();
    String sweep =
        TestServer.sweep(5).replace("epsilon: 3.0", "epsilon: -3").replace("loss:", "los:");
    for (String path : List.of(STUDIES, "/api/v1/plans")) {
      HttpResponse<String> answer = server.post(path, server.submit, "application/yaml", sweep);
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
      ObjectNode problem = Json.read(answer.body());
      assertThat(problem.path("problems").valueStream().map(p -> p.path("line").asInt()))
          .containsExactly(13, 27);
      assertThat(problem.path("problems").path(0).path("text").asString())
          .contains("budget.epsilon");
    }
    assertThat(server.store.studies()).hasSize(before);
  }

  @Test
  void aBodyThatIsAZip_isRefusedWithoutEffect() throws IOException {
    int before = server.store.studies().size();
    String zip = "PK\u0003\u0004\u0014\u0000\u0000\u0000weights.npy";
    for (String path : List.of(STUDIES, "/api/v1/plans")) {
      assertThat(server.post(path, server.submit, "application/yaml", zip).statusCode())
          .isEqualTo(400);
      for (String type : List.of("application/zip", "application/gzip")) {
        assertThat(server.post(path, server.submit, type, zip).statusCode()).isEqualTo(415);
      }
    }
    assertThat(server.store.studies()).hasSize(before);
  }

  @Test
  void aPausedStudy_goesOnWhenItIsResumed() throws IOException {
    String blocking = submitted(2000);
    String path = STUDIES + "/" + blocking;
    assertThat(server.post(path + "/pause", server.submit, "application/json", "").statusCode())
        .isEqualTo(200);
    assertThat(server.post(path + "/resume", server.submit, "application/json", "").statusCode())
        .isEqualTo(200);
    for (String mistaken : List.of("{\"reasn\": \"typo\"}", "{\"reason\": 5}")) {
      assertThat(
              server
                  .post(path + "/cancel", server.submit, "application/json", mistaken)
                  .statusCode())
          .isEqualTo(400);
    }
    HttpResponse<String> cancelled =
        server.post(
            path + "/cancel", server.submit, "application/json", "{\"reason\": \"enough\"}");
    assertThat(cancelled.statusCode()).isEqualTo(200);
    HttpResponse<String> again =
        server.post(path + "/pause", server.submit, "application/json", "");
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(server.get(path + "/result", server.read).statusCode()).isEqualTo(409);
  }

  @Test
  void aReason_isShownAsItWasGiven_andThatOfAFailureWithoutPlaces() throws IOException {
    String reason = "see https://tickets.example/123 and/or ask /dev/olga";
    String cancelled = submitted(2000);
    String path = STUDIES + "/" + cancelled;
    server.post(
        path + "/cancel", server.submit, "application/json", "{\"reason\": \"" + reason + "\"}");
    createRunning("0badbad2", TestServer.inPlace(5), 4);
    server.store.move("0badbad2", StudyState.FAILED, folder + "/rows.csv: no such file");
    for (String list : List.of("", "?state=cancelled")) {
      String page = list.isEmpty() ? path : STUDIES + list;
      assertThat(server.get(page, server.read).body()).contains("\"reason\" : \"" + reason + "\"");
    }
    for (String page : List.of(STUDIES + "/0badbad2", STUDIES + "?state=failed")) {
      assertThat(server.get(page, server.read).body())
          .contains("\"reason\" : \"a file: no such file\"")
          .doesNotContain(folder.toString());
    }
    server.store.move("0badbad2", StudyState.CANCELLED);
  }

  @Test
  void aReason_thatIsNoPrintedLine_isRefused() throws IOException {
    for (String reason : List.of("two\\nlines", "x".repeat(201), "\\u001b[2J")) {
      assertThat(
              server
                  .post(
                      STUDIES + "/00000000/cancel",
                      server.submit,
                      "application/json",
                      "{\"reason\": \"" + reason + "\"}")
                  .statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void whatIsNotThere_isNotFound() throws IOException {
    for (String path :
        List.of(
            "/api/v1/studies/ffffffff",
            "/api/v1/studies/..%2f..%2fetc%2fpasswd",
            "/api/v1/studies/ffffffff/result",
            "/api/v1/studies/ffffffff/ledger",
            "/api/v1/studies/ffffffff/statement",
            "/api/v1/nothing",
            "/assets/..%2fdashboard.js",
            "/assets/TokenFile.class")) {
      HttpResponse<String> answer = server.get(path, server.read);
      assertThat(answer.statusCode()).as(path).isIn(400, 404);
      assertThat(Json.read(answer.body()).path("status").asInt()).isEqualTo(answer.statusCode());
    }
  }

  @Test
  void thePlaceInTheList_isTakenUpToTheBoundThatARefusalNames() throws IOException {
    assertThat(server.get(STUDIES + "?offset=999999999", server.read).statusCode()).isEqualTo(200);
    HttpResponse<String> beyond = server.get(STUDIES + "?offset=1000000000", server.read);
    assertThat(beyond.statusCode()).isEqualTo(400);
    assertThat(beyond.body()).contains("offset is a number from 0 to 999999999\"");
  }

  @Test
  void anotherMethod_isToldThoseOfThePath() throws IOException {
    assertThat(server.get("/api/v1/plans", server.submit).statusCode()).isEqualTo(405);
    for (String path : List.of("/api/v1/tokens", STUDIES, "/api/v1/plans")) {
      assertThat(head(path).statusCode()).isEqualTo(405);
    }
    assertThat(server.delete(STUDIES, server.submit).headers().firstValue("Allow"))
        .contains("GET, POST");
    assertThat(head("/nope").statusCode()).isEqualTo(404);
    assertThat(head("/nope").headers().firstValue("Allow")).isEmpty();
  }

  private static HttpResponse<String> head(String path) throws IOException {
    return server.send(
        server.request(path, "").method("HEAD", HttpRequest.BodyPublishers.noBody()));
  }

  @Test
  void otherKindsOfBody_areRefused() throws IOException {
    for (String type : List.of("text/plain", "application/x-www-form-urlencoded", "")) {
      assertThat(
              server
                  .post("/api/v1/plans", server.submit, type.isEmpty() ? "x" : type, "version: 1")
                  .statusCode())
          .isEqualTo(415);
    }
    byte[] notUtf8 = {(byte) 0xff, (byte) 0xfe, 0};
    assertThat(
            server.post("/api/v1/plans", server.submit, "application/yaml", notUtf8).statusCode())
        .isEqualTo(400);
  }

  @Test
  void bodiesAndTextsThatAreTooLong_areRefused() throws IOException {
    String large = "x".repeat(2 << 20);
    assertThat(server.post("/api/v1/plans", server.submit, "application/yaml", large).statusCode())
        .isEqualTo(413);
    HttpResponse<String> long400 =
        server.post("/api/v1/plans", server.submit, "application/yaml", "x".repeat(200_000));
    assertThat(long400.statusCode()).isEqualTo(400);
    assertThat(long400.body()).contains("at most 100000 characters");
  }

  @Test
  void aliases_areRefusedByTheirLines() throws IOException {
    HttpResponse<String> answer =
        server.post(
            "/api/v1/plans",
            server.submit,
            "application/yaml",
            "version: 1\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("aliases").contains("\"line\" : 2");
  }

  /** One that 'mutune run' began. */
  private static void createRunning(String id, String definition, int runs) {
    StudyRecord made =
        new StudyRecord(
            id,
            "older",
            StudyState.RUNNING,
            Instant.now(),
            definition,
            new SweepContext(folder, folder, Map.of()),
            folder.resolve("runs/older-" + id),
            Optional.empty(),
            0,
            OptionalDouble.empty(),
            Optional.empty(),
            false);
    server.store.create(made, runs, AccountClaim.NONE);
  }

  @Test
  void aStudyThatNoProcessRunsAnyMore_isInterrupted() throws IOException {
    createRunning("0badbad1", TestServer.inPlace(5), 4);
    assertThat(server.get(STUDIES + "?state=running", server.read).body())
        .doesNotContain("0badbad1");
    assertThat(server.get(STUDIES + "?state=interrupted", server.read).body()).contains("0badbad1");
    assertThat(server.get("/metrics", server.read).body())
        .contains("mutune_studies{state=\"interrupted\"} 1.0");
    assertThat(server.get(STUDIES + "/0badbad1", server.read).body())
        .contains("\"state\" : \"interrupted\"")
        .doesNotContain("secondsLeft");
    try (StudyHold held = server.store.hold("0badbad1")) {
      assertThat(held).isNotNull();
      assertThat(server.get(STUDIES + "?state=running", server.read).body()).contains("0badbad1");
    }
    server.store.move("0badbad1", StudyState.CANCELLED);
  }

  @Test
  void aStudyThatThisVersionCannotPlan_isListed_andKeepsNoOtherFromBeingSeen() throws IOException {
    createRunning("0badbad0", "version: 0\n", 1);
    HttpResponse<String> list = server.get(STUDIES + "?limit=1000", server.read);
    assertThat(list.statusCode()).as(list.body()).isEqualTo(200);
    assertThat(list.body()).contains("0badbad0");
    assertThat(server.get("/metrics", server.read).statusCode()).isEqualTo(200);
    HttpResponse<String> status = server.get(STUDIES + "/0badbad0", server.read);
    assertThat(status.statusCode()).isEqualTo(409);
    assertThat(status.body()).contains("this version of Mutune does not plan it");
    // It was not submitted, so that it may name files.
    String sweep = STUDIES + "/0badbad0/sweep";
    assertThat(server.get(sweep, server.read).statusCode()).isEqualTo(403);
    assertThat(server.get(sweep, server.submit).statusCode()).isEqualTo(403);
    assertThat(server.get(sweep, server.admin).body()).isEqualTo("version: 0\n");
    for (String change : List.of("pause", "resume")) {
      HttpResponse<String> answer =
          server.post(STUDIES + "/0badbad0/" + change, server.submit, "application/json", "");
      assertThat(answer.statusCode()).isEqualTo(409);
      assertThat(answer.body()).contains("study 0badbad0 does not run");
    }
    server.store.move("0badbad0", StudyState.CANCELLED);
  }

  private static int change(TestServer server, String study, String change) throws IOException {
    return server
        .post(STUDIES + "/" + study + "/" + change, server.submit, "application/json", "")
        .statusCode();
  }

  @Test
  void aFullQueue_isSaidAndLosesNothing(@TempDir Path other) throws IOException {
    ServerSettings.Limits one = new ServerSettings.Limits(1 << 20, 1, 60, 2, 30, 10, 30, 60);
    try (TestServer limited = TestServer.limited(other, one)) {
      assertThat(limited.submit(TestServer.sweep(5000)).statusCode()).isEqualTo(201);
      HttpResponse<String> second = limited.submit(TestServer.sweep(5000));
      assertThat(second.statusCode()).isEqualTo(503);
      assertThat(second.headers().firstValue("Retry-After")).isPresent();
      assertThat(limited.store.studies()).hasSize(1);
      String id = limited.store.studies().get(0).id();
      assertThat(change(limited, id, "pause")).isEqualTo(200);
      assertThat(limited.submit(TestServer.sweep(5000)).statusCode()).isEqualTo(503);
      assertThat(change(limited, id, "resume")).isEqualTo(200);
      limited.store.move(id, StudyState.RUNNING);
      limited.store.move(id, StudyState.FAILED, "its disk was full");
      assertThat(limited.submit(TestServer.sweep(5000)).statusCode()).isEqualTo(201);
      assertThat(change(limited, id, "resume")).isEqualTo(503);
    }
  }
}
