package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.sweep.LifetimeBudget;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Data sets' accounts over HTTP. */
class AccountsApiTest {
  private static final String ACCOUNTS = "/api/v1/accounts";

  @TempDir private Path folder;

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.with(folder, TestServer.ROOT.resolve("sweeps"));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private HttpResponse<String> create(String token, String json) throws IOException {
    return server.post(ACCOUNTS, token, "application/json", json);
  }

  private ObjectNode get(String path) throws IOException {
    HttpResponse<String> answer = server.get(path, server.read);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.read(answer.body());
  }

  private static String guarded(int steps) throws IOException {
    return TestServer.inPlace(steps).replaceFirst(" +declared: public.*\n", "");
  }

  /** Its public rows are in a file of their own. */
  static String sweep(int steps, String account) throws IOException {
    return guarded(steps)
        .replaceFirst(
            "path: data/digits.csv.gz\n +range: \\{first: 1301, last: 1797}",
            "path: data/digits-test.csv.gz")
        .replace("budget:\n", "budget:\n  account: " + account + "\n");
  }

  @Test
  void anAccount_isMadeByAnAdminOnce() throws IOException {
    String json = "{\"name\": \"digits\", \"epsilon\": 6, \"delta\": 1e-6}";
    for (String token : List.of(server.read, server.submit)) {
      assertThat(create(token, json).statusCode()).isEqualTo(403);
    }
    assertThat(get(ACCOUNTS).path("accounts").size()).isZero();

    HttpResponse<String> made = create(server.admin, json);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    assertThat(made.headers().firstValue("Location")).contains(ACCOUNTS + "/digits");
    ObjectNode account = get(ACCOUNTS + "/digits");
    // The cap is what is promised, and rounded up; what is left is rounded down.
    assertThat(account.path("cap").path("epsilon").asDouble()).isBetween(5.999, 6.0);
    assertThat(account.path("left").path("mu")).isEqualTo(account.path("cap").path("mu"));
    assertThat(account.path("left").path("epsilon").asDouble())
        .isBetween(5.999, account.path("cap").path("epsilon").asDouble());
    assertThat(account.path("delta").asDouble()).isEqualTo(1e-6);
    JsonNode profile = account.path("profile");
    assertThat(profile.path("epsilons").size()).isEqualTo(7);
    // That of the cap, whatever was drawn: the third delta is the one asked for.
    assertThat(profile.path("epsilons").get(2).path("epsilon"))
        .isEqualTo(account.path("cap").path("epsilon"));
    assertThat(profile.path("tradeOff").path("misses").get(0).asDouble())
        .isEqualTo(1, within(1e-8));

    HttpResponse<String> again = create(server.admin, json.replace("6", "7"));
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("it is never changed, but its budget may be raised");
    assertThat(get(ACCOUNTS + "/digits")).isEqualTo(account);
  }

  @Test
  void whatIsNoAccount_isRefused() throws IOException {
    for (String json :
        List.of(
            "",
            "{}",
            "{\"name\": \"a\"}",
            "{\"name\": \"a\", \"mu\": 0}",
            "{\"name\": \"a\", \"mu\": -1}",
            "{\"name\": \"a\", \"mu\": 1e999}",
            "{\"name\": \"a\", \"mu\": 1e300}",
            "{\"name\": \"a\", \"mu\": 100.1}",
            "{\"name\": \"a\", \"epsilon\": 1e300, \"delta\": 1e-6}",
            "{\"name\": \"a\", \"mu\": \"1\"}",
            "{\"name\": \"a\", \"mu\": 1, \"epsilon\": 1}",
            "{\"name\": \"a\", \"epsilon\": 1}",
            "{\"name\": \"a\", \"epsilon\": 1, \"delta\": 0}",
            "{\"name\": \"a\", \"epsilon\": 1, \"delta\": 2}",
            "{\"name\": \"A b\", \"mu\": 1}",
            "{\"name\": \"a\", \"mu\": 1, \"adjacency\": \"both\"}",
            "{\"name\": \"a\", \"mu\": 1, \"cap\": 2}",
            "{\"name\": \"a\", \"mu\": 1, \"rowsFingerprint\": \"two\\nlines\"}",
            "{\"name\": [\"a\"], \"mu\": 1}")) {
      HttpResponse<String> answer = create(server.admin, json);
      assertThat(answer.statusCode()).as(json + answer.body()).isEqualTo(400);
    }
    assertThat(server.store.accounts()).isEmpty();
    for (String path : List.of("/none", "/none/history", "/..%2f..%2fetc", "/A%20b")) {
      assertThat(server.get(ACCOUNTS + path, server.read).statusCode()).as(path).isIn(400, 404);
    }
  }

  @Test
  void whatAStudyDraws_isReservedAndThenSpent_andShownWithTheStudy() throws IOException {
    create(server.admin, "{\"name\": \"digits\", \"mu\": 1}");
    String study = submitted(sweep(5, "digits"));
    server.untilState(study, "finished");

    ObjectNode account = get(ACCOUNTS + "/digits");
    assertThat(account.path("studies").size()).isEqualTo(1);
    JsonNode drawn = account.path("studies").path(0);
    assertThat(drawn.path("study").asString()).isEqualTo(study);
    assertThat(drawn.path("name").asString()).isEqualTo("quickstart");
    assertThat(drawn.path("state").asString()).isEqualTo("finished");
    assertThat(drawn.path("what").asString()).isEqualTo("settled");
    assertThat(account.path("settled").path("mu").asDouble()).isBetween(0.7, 0.7192);
    assertThat(account.path("reserved").path("mu").asDouble()).isZero();
    JsonNode entries = get(ACCOUNTS + "/digits/history").path("entries");
    assertThat(entries.valueStream().map(e -> e.path("what").asString()))
        .containsExactly("registered", "reserved", "settled");
    assertThat(entries.path(1).path("reserved").asDouble()).isBetween(0.71, 0.7192);
    assertThat(entries.path(2).path("left")).isEqualTo(account.path("left").path("mu"));
    assertThat(get("/api/v1/studies/" + study).path("account").asString()).isEqualTo("digits");
    assertThat(get("/api/v1/studies").path("studies").path(0).path("account").asString())
        .isEqualTo("digits");
    String metrics = server.get("/metrics", server.read).body();
    assertThat(metrics.lines())
        .anyMatch(line -> line.startsWith("mutune_account_mu_spent{account=\"digits\"} 0.71"))
        .contains("mutune_account_mu_reserved{account=\"digits\"} 0.0")
        .anyMatch(line -> line.startsWith("mutune_account_mu_left{account=\"digits\"} 0.6"))
        .anyMatch(
            line ->
                line.matches(
                    "mutune_account_epsilon_left\\{account=\"digits\",delta=\"1\\.0E-6\"} 3\\..*"));
  }

  @Test
  void aScheduleThatWaits_isListedWithItsTime_andEndsWhenItsLastStudyIsCancelled()
      throws IOException {
    create(server.admin, "{\"name\": \"digits\", \"mu\": 2}");
    String scheduled = "schedule: 0 0 3 1 1 ?\n" + sweep(5, "digits");
    String study = submitted(scheduled);
    server.untilState(study, "finished");

    JsonNode listed = get("/api/v1/studies").path("studies");
    assertThat(listed.path(0).path("next").asString()).endsWith("-01-01T03:00:00Z");
    assertThat(get("/api/v1/studies/" + study).path("next")).isEqualTo(listed.path(0).path("next"));
    String cancel = "/api/v1/studies/" + study + "/cancel";
    HttpResponse<String> ended = server.post(cancel, server.submit, "application/json", "{}");

    assertThat(ended.statusCode()).as(ended.body()).isEqualTo(200);
    JsonNode next = Json.read(ended.body());
    assertThat(next.path("state").asString()).isEqualTo("cancelled");
    assertThat(next.path("study").asString()).isNotEqualTo(study);
    listed = get("/api/v1/studies").path("studies");
    assertThat(listed.valueStream().map(one -> one.path("state").asString()))
        .containsExactly("cancelled", "finished");
    assertThat(listed.valueStream().filter(one -> one.has("next"))).isEmpty();
    assertThat(get("/api/v1/studies/" + next.path("study").asString()).has("next")).isFalse();
    assertThat(get(ACCOUNTS + "/digits").path("reserved").path("mu").asDouble()).isZero();
  }

  @Test
  void aRefusal_hasTheNumbersAndNoPlaceOnThisMachine() throws IOException {
    create(server.admin, "{\"name\": \"digits\", \"mu\": 0.8}");
    submitted(sweep(5, "digits"));
    HttpResponse<String> second = server.submit(sweep(5, "digits"));
    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.body()).contains("over the account 'digits': asked for epsilon 3 (mu 0.71");

    assertThat(server.get("/api/v1/studies", server.read).body())
        .doesNotContain(TestServer.ROOT.toRealPath().toString());
  }

  @Test
  void aHistory_isShownAsItIsNow() throws IOException {
    create(server.admin, "{\"name\": \"digits\", \"mu\": 2}");
    assertThat(get(ACCOUNTS + "/digits/history").path("entries").size()).isZero();
    for (int studies = 1; studies <= 2; studies++) {
      server.untilState(submitted(sweep(5, "digits")), "finished");
      assertThat(get(ACCOUNTS + "/digits/history").path("entries").size())
          .isEqualTo(1 + 2 * studies);
    }
  }

  private String submitted(String sweep) throws IOException {
    HttpResponse<String> answer = server.submit(sweep);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return Json.read(answer.body()).path("study").asString();
  }

  /** As stores have it that were written before there was a limit. */
  @Test
  void anAccountBeyondAllNumbers_breaksNoPage() throws IOException {
    AccountRecord plain =
        AccountRecord.make("a", new LifetimeBudget(1.0, null, null, null), "add-remove", null);
    for (double mu : List.of(1.1e154, 1e300, Double.MAX_VALUE, Double.MIN_VALUE)) {
      server.store.createAccount(
          new AccountRecord(
              "m" + Long.toHexString(Double.doubleToLongBits(mu)),
              plain.identity(),
              plain.created(),
              plain.adjacency(),
              ApproximateGaussianDp.of(GaussianDp.of(Mu.of(mu))),
              Optional.empty()));
    }
    requirePages(4);
    assertThat(get(ACCOUNTS).path("accounts").path(0).path("cap").has("mu")).isTrue();
  }

  @Test
  void whateverNumbersAnAccountIsGiven_pagesAnswer() throws IOException {
    List<String> numbers =
        List.of(
            "4.9e-324", "1e-300", "1e-9", "0.5", "1", "99.9", "5000", "1e15", "1e154", "1.7e308");
    int made = 0;
    for (String one : numbers) {
      made += accepted("{\"name\": \"n%d\", \"mu\": %s}".formatted(made, one));
      for (String delta : numbers) {
        String json = "{\"name\": \"n%d\", \"epsilon\": %s, \"delta\": %s}";
        made += accepted(json.formatted(made, one, delta));
      }
    }
    assertThat(made).isBetween(10, 60);
    requirePages(made);
  }

  private int accepted(String json) throws IOException {
    int status = create(server.admin, json).statusCode();
    assertThat(status).as(json).isIn(201, 400);
    return status == 201 ? 1 : 0;
  }

  private void requirePages(int accounts) throws IOException {
    JsonNode all = get(ACCOUNTS).path("accounts");
    assertThat(all.size()).isEqualTo(accounts);
    for (JsonNode account : all) {
      String path = ACCOUNTS + "/" + account.path("account").asString();
      get(path);
      get(path + "/history");
    }
    HttpResponse<String> metrics = server.get("/metrics", server.read);
    assertThat(metrics.statusCode()).as(metrics.body()).isEqualTo(200);
  }
}
