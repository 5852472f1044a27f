package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.RegisteredSets;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a submitter may name, and what an owner may do, over HTTP. */
class DataSetsApiTest {
  private static final String OWN =
      """
      data:
        private: {path: own.csv, format: csv, classes: 2, features: 2, rows: 40}
        test: {path: other.csv}
      """;

  private static final String OTHER =
      """
      data:
        private: {path: third.csv, format: csv, classes: 2, features: 2, rows: 40}
      """;

  private static final String REST =
      """
      budget: {epsilon: 2, delta: 1.0e-5}
      search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
      train: {method: noisy-gd, loss: softmax}
      """;

  private static final String SETS = "/api/v1/data-sets";

  @TempDir Path folder;
  private Path data;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    data = Files.createDirectory(folder.resolve("data")).toRealPath();
    for (String name : List.of("own", "other", "third")) {
      Files.writeString(
          data.resolve(name + ".csv"),
          IntStream.range(0, 40)
              .mapToObj(row -> "0.%d,%d,%d\n".formatted(row + 10, name.length(), row % 2))
              .collect(Collectors.joining()));
    }
    server = TestServer.with(folder, data);
    RegisteredSets.register(server.store, data, "rows", OWN);
    Files.createLink(data.resolve("same.csv"), data.resolve("own.csv"));
    Files.createSymbolicLink(data.resolve("link.csv"), data.resolve("own.csv"));
    Files.copy(data.resolve("own.csv"), data.resolve("copy.csv"));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static String sweep(String dataAndMore) {
    return "version: 1\nname: asked\n" + dataAndMore + REST;
  }

  private HttpResponse<String> post(String sweep) throws IOException {
    return postTo("studies", sweep);
  }

  private HttpResponse<String> postTo(String what, String sweep) throws IOException {
    return server.post("/api/v1/" + what, server.submit, "application/yaml", sweep);
  }

  @Test
  void aSubmitterNamesARegisteredSet_andNothingElse() throws IOException {
    HttpResponse<String> answer = post(sweep("data: rows\n"));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    server.untilState(Json.read(answer.body()).path("study").asString(), "finished");
  }

  /** A cell, a row, another role, a link, a copy, a file that is not there: one answer to all. */
  @Test
  void whateverFileIsNamed_theAnswerIsTheSame() throws IOException {
    Set<String> answers = new HashSet<>();
    for (String part :
        List.of(
            OWN,
            OWN.replace("classes: 2", "label: 1, classes: [none, \"3\"]"),
            OWN.replace("rows: 40", "rows: 40, range: {first: 7, last: 7}"),
            OWN.replace("rows: 40", "rows: 40, declared: public"),
            OWN.replace("own.csv", "x.csv").replace("other.csv", "own.csv"),
            OWN.replace("own.csv", "same.csv"),
            OWN.replace("own.csv", "link.csv"),
            OWN.replace("own.csv", "copy.csv"),
            OWN.replace("own.csv", "absent.csv"),
            OWN.replace("own.csv", data.resolve("own.csv").toString()))) {
      for (String what : List.of("studies", "plans")) {
        HttpResponse<String> answer = postTo(what, sweep(part));
        assertThat(answer.statusCode()).isEqualTo(400);
        answers.add(answer.body());
      }
    }
    assertThat(answers).hasSize(1);
    assertThat(answers.iterator().next()).doesNotContain(data.toString());
    assertThat(answers.iterator().next()).contains("the name of a registered data set");
    assertThat(server.store.studies()).isEmpty();
  }

  /** A name of the card's, and no other, no program, and nothing that a program is started with. */
  @Test
  void aTrainerIsNamed_byTheCardsNameAlone() throws IOException {
    String card = OWN + "  trainers: {mine: {command: [no-such-program]}}\n";
    RegisteredSets.register(server.store, data, "trained", card);
    String external =
        "train: {method: external, mechanism: {type: gaussian}, descends: true, %s}\n";
    String sweep =
        sweep("data: trained\n").replace("train: {method: noisy-gd, loss: softmax}\n", "");

    assertThat(postTo("plans", sweep + external.formatted("trainer: mine")).statusCode())
        .isEqualTo(200);
    Set<String> unknown = new HashSet<>();
    for (String name : List.of("other", "none")) {
      HttpResponse<String> answer = post(sweep + external.formatted("trainer: " + name));
      assertThat(answer.statusCode()).isEqualTo(400);
      unknown.add(answer.body().replace(name, ""));
    }
    assertThat(unknown).hasSize(1);
    for (String own :
        List.of(
            "command: [no-such-program]",
            "trainer: mine, command: [x]",
            "trainer: mine, environment: {LD_PRELOAD: x}",
            "trainer: mine, silence: 5")) {
      assertThat(post(sweep + external.formatted(own)).statusCode()).as(own).isEqualTo(400);
    }
    assertThat(server.store.studies()).isEmpty();
    String shown = server.get(SETS + "/trained", server.read).body();
    assertThat(Json.read(shown).path("trainers").toString()).isEqualTo("[\"mine\"]");
    assertThat(shown).doesNotContain("no-such-program");
  }

  @Test
  void noOtherPathIsTaken_beItThereOrNot() throws IOException {
    Set<String> answers = new HashSet<>();
    for (String file : List.of("own.csv", "absent.csv", data.resolve("own.csv").toString())) {
      for (String sweep :
          List.of(
              sweep("data: rows\n").replace("loss: softmax", "loss: softmax, start: " + file),
              sweep("data: rows\n") + "output: {directory: " + file + "}\n",
              sweep("data: rows\n") + "output: {perInstance: " + file + "}\n")) {
        HttpResponse<String> answer = post(sweep);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("names a path, which only 'mutune run' takes");
        assertThat(postTo("plans", sweep).body()).isEqualTo(answer.body());
        answers.add(answer.body());
      }
    }
    assertThat(answers).as("whatever file it is").hasSize(3);
    // A word is no path: this one needs texts, which these rows are not.
    assertThat(post(sweep("data: rows\n").replace("softmax", "softmax, start: label-names")).body())
        .contains("it needs rows of one text")
        .doesNotContain("path");
    assertThat(server.store.studies()).isEmpty();
  }

  @Test
  void anUnknownSet_isAMistakeOfTheSweep_andARetiredOneIsRefused() throws IOException {
    assertThat(post(sweep("data: rowz\n")).statusCode()).isEqualTo(400);
    server.store.retire("rows");
    HttpResponse<String> retired = post(sweep("data: rows\n"));
    assertThat(retired.statusCode()).isEqualTo(409);
    assertThat(retired.body()).contains("retired");
  }

  @Test
  void aSetWhoseFileIsGone_isRefusedWithoutAPlace() throws IOException {
    Files.delete(data.resolve("own.csv"));
    HttpResponse<String> answer = post(sweep("data: rows\n"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("data set 'rows'").doesNotContain("own.csv");
  }

  @Test
  void aSetOverBudget_isRefusedWithTheNumbersAndNoPlace() throws IOException {
    String dear = sweep("data: rows\n").replace("epsilon: 2,", "epsilon: 1000000,");
    HttpResponse<String> answer = post(dear);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
    assertThat(answer.body()).contains("over the account").doesNotContain(data.toString());
  }

  @Test
  void sets_areShownWithoutTheirFiles() throws IOException {
    for (String path : List.of(SETS, SETS + "/rows", SETS + "/rows/history")) {
      HttpResponse<String> answer = server.get(path, server.read);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).doesNotContain("own.csv").doesNotContain(data.toString());
    }
    assertThat(Json.read(server.get(SETS + "/rows", server.read).body()).path("rows").asInt())
        .isEqualTo(40);
    assertThat(server.get(SETS + "/nobody", server.read).statusCode()).isEqualTo(404);
  }

  @Test
  void theEpsilonOfAnAccount_isAtTheDeltaOfItsDataSetsCard() throws IOException {
    AccountRecord account =
        new AccountRecord(
            "mine",
            "0123456789abcdef",
            Instant.parse("2026-01-02T03:04:05Z"),
            Adjacency.ADD_REMOVE,
            ApproximateGaussianDp.of(GaussianDp.of(Mu.of(1))),
            Optional.empty());
    String card =
        "version: 1\nname: mine\nbudget: {epsilon: 4, delta: 1.0e-4}\n"
            + OTHER.replace("data:\n", "").strip();
    SweepContext context = new SweepContext(data, data, Map.of());
    server.store.register(
        new CardText("mine", 1, "mine", card, context),
        Optional.of(account),
        "",
        DataCardReader.read("mine", card, context).files());

    for (String path :
        List.of("accounts/mine", "accounts/mine/history", "data-sets/mine/history")) {
      assertThat(delta(path)).as(path).isEqualTo(1e-4);
    }
    assertThat(delta("accounts/rows-add-remove")).isEqualTo(1e-6);
    JsonNode all = Json.read(server.get("/api/v1/accounts", server.read).body()).path("accounts");
    assertThat(all.valueStream().map(one -> one.path("delta").asDouble()))
        .containsExactlyInAnyOrder(1e-4, 1e-6);
  }

  private double delta(String path) throws IOException {
    return Json.read(server.get("/api/v1/" + path, server.read).body()).path("delta").asDouble();
  }

  private int post(String path, String token, String json) throws IOException {
    return server.post(SETS + path, token, "application/json", json).statusCode();
  }

  @Test
  void anOwner_raisesAndRetiresTheSetsOfItsCards_andAnAnalystNone() throws IOException {
    RegisteredSets.register(
        server.store, data, "mine", "owner: alice\nbudget: {account: mine}\n" + OTHER);
    String alice = server.tokens.create("alice", Role.OWN);
    String bob = server.tokens.create("bob", Role.OWN);
    String raise = "{\"mu\": 95}";

    for (String other : List.of(server.read, server.submit, bob)) {
      assertThat(post("/mine/raise", other, raise)).isEqualTo(403);
      assertThat(post("/mine/retire", other, "")).isEqualTo(403);
    }
    assertThat(post("/rows/retire", alice, "")).isEqualTo(403);
    RegisteredSets.register(
        server.store, data, "guest", "owner: bob\nbudget: {account: mine}\n" + OTHER);
    assertThat(post("/guest/raise", bob, raise)).as("the budget of another's set").isEqualTo(403);
    assertThat(post("/mine/raise", alice, raise)).isEqualTo(200);
    assertThat(post("/mine/raise", alice, "{\"mu\": 1}")).isEqualTo(409);
    assertThat(post("/mine/raise", alice, "{\"mu\": \"x\"}")).isEqualTo(400);
    assertThat(post("/mine/retire", alice, "")).isEqualTo(200);
    assertThat(post("/mine/retire", alice, "")).isEqualTo(409);
    assertThat(post("/rows/retire", server.admin, "")).isEqualTo(200);
    assertThat(server.get(SETS + "/mine/history", server.read).body())
        .contains("registered", "raised", "retired");
  }

  @Test
  void aTableOfPeopleWithATarget_isDescribed() throws IOException {
    RegisteredSets.register(
        server.store,
        data,
        "people",
        """
        data:
          private:
            path: people.csv
            format: csv
            header: true
            rows: 40
          columns:
            town: {type: category, values: [a, b]}
            who: {type: id}
            income: {type: target, min: 0, max: 9}
          unit: {column: who, people: 20, rows: 2}
          holdOut: {test: 0.1}
        """);
    JsonNode set = Json.read(server.get(SETS + "/people", server.read).body());
    assertThat(set.path("columns").path(0).path("type").asString()).isEqualTo("category");
    assertThat(set.path("unit").path("column").asString()).isEqualTo("who");
    assertThat(set.path("people").asLong()).isEqualTo(20);
    assertThat(set.path("heldOut").path("test").path("rows").asLong()).isEqualTo(2);
    assertThat(set.path("target").path("max").asDouble()).isEqualTo(9);
  }

  @Test
  void theChartsOfAStudyWithoutTrials_sayWhy() throws IOException {
    String sweep =
        "version: 1\nname: small\ndata: rows\n"
            + REST.replaceFirst("search: .*", "search: {strategy: scale-free}");
    String study = Json.read(post(sweep).body()).path("study").asString();
    server.untilState(study, "finished");
    JsonNode charts =
        Json.read(server.get("/api/v1/studies/" + study + "/charts", server.read).body());
    assertThat(charts.path("noTrials").asString()).contains("There were no trials");
  }
}
