package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.RecordedMlflow.Asked;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a study leaves with MLflow, against exchanges as its REST API documents them. */
class MlflowTest {
  private static final String API = "/api/2.0/mlflow/";

  @TempDir Path folder;

  private CommandRun logged(RecordedMlflow server) throws IOException {
    return CommandRun.run(SmallSweep.in(folder), "--log-to", "mlflow", server.address() + "/");
  }

  private static Map<String, String> pairs(JsonNode array) {
    return array
        .valueStream()
        .collect(
            Collectors.toMap(
                entry -> entry.path("key").asString(), entry -> entry.path("value").asString()));
  }

  @Test
  void aStudy_isARunWithItsFiguresAndFiles_andARunBelowItForEachTrial() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      CommandRun run = logged(server).succeeded();
      ObjectNode result = Json.read(Files.readString(run.folder().resolve("result.json")));
      ObjectNode statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
      String name = String.valueOf(run.folder().getFileName());

      List<Asked> posts =
          server.asked.stream().filter(asked -> asked.how().equals("POST")).toList();
      assertThat(server.asked.get(0).where())
          .isEqualTo(
              API + "experiments/get-by-name?experiment_name=" + name.replaceFirst("-[^-]*$", ""));
      assertThat(posts.stream().map(asked -> asked.where().replace(API, "")))
          .containsExactly(
              """
              experiments/create runs/create runs/log-batch runs/create runs/log-batch runs/update
              runs/create runs/log-batch runs/update runs/create runs/log-batch runs/update
              runs/update
              """
                  .split("\\s+"));
      assertThat(posts.get(1).json().path("run_name").asString()).isEqualTo(name);
      assertThat(pairs(posts.get(1).json().path("tags")))
          .containsEntry("mutune.guarantee", "holds")
          .containsEntry("mutune.ledger.head", statement.at("/ledger/head").asString());
      JsonNode figures = posts.get(2).json();
      assertThat(pairs(figures.path("metrics")))
          .containsEntry("epsilon", statement.path("epsilon").asString())
          .containsEntry("testAccuracy", result.path("testAccuracy").asString())
          .containsEntry("test.accuracy.low", result.at("/test/accuracy/low").asString());
      assertThat(pairs(figures.path("params")))
          .containsEntry("method", "noisy-gd")
          .containsEntry("learningRate", result.at("/final/learningRate").asString());
      assertThat(pairs(posts.get(3).json().path("tags")))
          .containsEntry("mlflow.parentRunId", "run1");
      assertThat(pairs(posts.get(4).json().path("metrics")))
          .containsEntry("score", result.at("/trials/0/score").asString());
      assertThat(posts.get(12).json().path("status").asString()).isEqualTo("FINISHED");

      String place = "/api/2.0/mlflow-artifacts/artifacts/7/run1/artifacts/";
      List<Asked> puts = server.asked.stream().filter(asked -> asked.how().equals("PUT")).toList();
      assertThat(puts)
          .extracting(asked -> asked.where().replace(place, ""))
          .contains("model.npz", "model.json", "statement.json", "report.html")
          .doesNotContain("sweep.yaml");
      for (Asked put : puts) {
        Path file = run.folder().resolve(put.where().replace(place, ""));
        assertThat(file).hasBinaryContent(put.body());
      }
      assertThat(server.authorizations).isEmpty();
    }
  }

  /** Every number that goes there stands in a public document; no path of this machine does. */
  @Test
  void nothingGoesThere_thatWasNotReleased() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      CommandRun run = logged(server).succeeded();
      Set<String> released = new HashSet<>();
      for (String document : List.of("result.json", "statement.json")) {
        ObjectNode json = Json.read(Files.readString(run.folder().resolve(document)));
        values(json, released);
      }
      released.add("3.0"); // how many trials there are
      int numbers = 0;
      for (Asked asked : server.asked) {
        if (asked.where().endsWith("log-batch")) {
          for (String part : List.of("metrics", "params")) {
            for (JsonNode pair : asked.json().path(part)) {
              assertThat(released).contains(plain(pair.path("value")));
              numbers++;
            }
          }
        }
        assertThat(new String(asked.body(), StandardCharsets.ISO_8859_1))
            .doesNotContain(folder.toString());
      }
      assertThat(numbers).isGreaterThan(30);
    }
  }

  /** When a study of secret runs ended would tell how many there were. */
  @Test
  void allThatGoesThere_hasATimeBeforeTheFirstCharge() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      Path study = logged(server).succeeded().folder();
      ObjectNode result = Json.read(Files.readString(study.resolve("result.json")));
      long begun = Instant.parse(result.at("/provenance/processes/0/at").asString()).toEpochMilli();
      List<Long> times = new ArrayList<>();
      for (Asked asked : server.asked) {
        if (asked.how().equals("POST")) {
          for (String key : List.of("start_time", "end_time", "timestamp")) {
            asked.json().findValues(key).forEach(time -> times.add(time.asLong()));
          }
        }
      }
      assertThat(times).hasSizeGreaterThan(10).allMatch(time -> time <= begun);
    }
  }

  /** 100 and 100.0 are one. */
  private static String plain(JsonNode value) {
    return value.isNumber() || value.asString("").matches("[0-9]+")
        ? Double.toString(value.asDouble())
        : value.asString("");
  }

  private static void values(JsonNode node, Set<String> found) {
    if (node.isValueNode()) {
      found.add(plain(node));
    }
    node.forEach(child -> values(child, found));
  }

  @Test
  void aVoidEpsilon_isNoFigureToSortBy() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      CommandRun.run(
              SmallSweep.in(folder).declaredPublic().noise("{seed: 1}"),
              "--log-to",
              "mlflow",
              server.address())
          .succeeded();
      List<Asked> batches =
          server.asked.stream().filter(asked -> asked.where().endsWith("log-batch")).toList();
      assertThat(batches).hasSizeGreaterThan(1); // of the study, and of its trials
      for (Asked batch : batches) {
        assertThat(pairs(batch.json().path("metrics")))
            .containsKey("epsilon.void")
            .doesNotContainKeys("epsilon", "mu");
      }
    }
  }

  @Test
  void whereTheServerTakesNoFiles_theFiguresGoThere_andThatIsSaid() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.withFilesElsewhere()) {
      CommandRun run = logged(server).succeeded();
      assertThat(run.err()).contains("so the model stays in " + run.folder());
      assertThat(server.asked).noneMatch(asked -> asked.how().equals("PUT"));
    }
  }

  @Test
  void aServerThatIsNotThere_isFoundOutBeforeAnythingIsCharged() throws IOException {
    RecordedMlflow gone = RecordedMlflow.open();
    gone.close();
    CommandRun run = logged(gone);
    assertThat(run.failedWith(ExitCode.INVALID)).startsWith("mutune: MLflow at " + gone.address());
    assertThat(folder.resolve("runs/mutune.db")).doesNotExist();
    assertThat(
            CommandRun.run(SmallSweep.in(folder), "--log-to", "mlflow", "file:///mlruns")
                .failedWith(ExitCode.INVALID))
        .contains("is no address such as http://127.0.0.1:5000");
    assertThat(
            CommandRun.run(SmallSweep.in(folder), "--log-to", "wandb", "http://127.0.0.1:1")
                .failedWith(ExitCode.INVALID))
        .contains("--log-to knows mlflow alone");
  }

  @Test
  void whatTheServerRefuses_isSaid_andTheStudyStays() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      server.say("runs/log-batch", "400 {\"message\": \"Not this\"}");
      CommandRun run = logged(server);
      assertThat(run.toldWhy(ExitCode.INVALID))
          .contains("the study is finished, with its results in ")
          .contains("answered " + API + "runs/log-batch with 400: Not this");
      assertThat(run.folder().resolve("model.npz")).exists();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {} | has no run_id
          {"run": null} | has no run_id
          {"run": {"info": {"run_id": {}}}} | has no run_id
          {"run": {"info": {"run_id": "7", "artifact_uri": "mlflow-artifacts:/ü a%zz"}}} | is no address
          """)
  void anAnswerThatIsNoneOfMlflows_isSaid_andTheStudyStays(String answer, String said)
      throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      server.say("runs/create", "200 " + answer);
      assertThat(logged(server).toldWhy(ExitCode.INVALID))
          .contains("the study is finished, with its results in ", said);
    }
  }

  @Test
  void aPlaceForFiles_isAskedForAsTheServerWritesIt() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      server.say(
          "runs/create",
          "200 {\"run\": {\"info\": {\"run_id\": \"7\", \"artifact_uri\":"
              + " \"mlflow-artifacts:/a%20b/c?x\"}}}");
      logged(server).succeeded();
      assertThat(server.asked)
          .extracting(Asked::where)
          .contains("/api/2.0/mlflow-artifacts/artifacts/a%20b/c/model.npz");
    }
  }

  @Test
  @Timeout(600)
  void whoeverInterruptsTheLogging_isToldThatTheStudyIsFinished() throws Exception {
    Interruption interruption = new Interruption();
    SmallSweep sweep = SmallSweep.in(folder);
    try (RecordedMlflow server = RecordedMlflow.open()) {
      server.sayWithoutEnd("runs/log-batch", 1);
      CompletableFuture<CommandRun> run =
          CompletableFuture.supplyAsync(
              () ->
                  CommandRun.of(
                      interruption, sweep.command("run", "--log-to", "mlflow", server.address())));
      while (!run.isDone()
          && server.asked.stream().noneMatch(asked -> asked.where().endsWith("log-batch"))) {
        MutuneProcess.pause();
      }
      interruption.request();
      assertThat(run.get().toldWhy(ExitCode.INVALID))
          .contains("the study is finished, with its results in ", "not all of it was logged")
          .contains(": interrupted");
    }
  }
}
