package io.mutune.orchestrator.cli;

import static io.mutune.orchestrator.cli.StudiesHere.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Runs that share a budget: the best is the result as it is. */
@Timeout(600)
class DividedBudgetTest {
  private static final String SPACE = "space: {learningRate: {min: 0.1, max: 9}, steps: 40}";
  private static final String GRID =
      "{strategy: grid, points: {values: 4}, " + SPACE + ", score: {on: private, epsilon: 0.2}}";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        GRID,
        "{strategy: random, " + SPACE + "}",
        "{strategy: random, trials: 3, " + SPACE + ", score: {on: private, epsilon: 0.2}}"
      })
  void aStudy_keepsItsBudget_andItsResultIsOneOfItsTrials(String search) throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).search(search);
    CommandRun run = CommandRun.run(sweep).succeeded();

    JsonNode statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    assertThat(statement.path("guarantee").asString()).isEqualTo("holds");
    assertThat(statement.path("epsilon").asDouble()).isBetween(2 * (1 - 1e-8), 2.0);
    JsonNode result = Json.read(Files.readString(run.folder().resolve("result.json")));
    double rate = result.path("final").path("learningRate").asDouble();
    assertThat(result.path("trials").valueStream().map(t -> t.path("learningRate").asDouble()))
        .contains(rate);
    int kept = result.path("final").path("trial").asInt();
    assertThat(result.path("trials").get(kept - 1).path("learningRate").asDouble()).isEqualTo(rate);
    assertThat(Files.readString(run.folder().resolve("report.html")))
        .contains("The model of trial " + kept + " is the result as it is.")
        .doesNotContain("he final run", ">final</th>", "Crashes took");
    CommandRun.of(sweep.command("audit")).succeeded();
    String id = result.path("study").asString();
    String status =
        CommandRun.of(sweep.command("status", id, "--format", "json")).succeeded().out();
    assertThat(Json.read(status).path("runs").valueStream().map(r -> r.path("state").asString()))
        .hasSameSizeAs(result.path("trials"))
        .doesNotContain("planned");
    assertThat(CommandRun.of("plan", folder.resolve("sweep.yaml").toString()).succeeded().out())
        .doesNotContain("final run");
    CommandRun.of(sweep.command("list")).succeeded();
  }

  @Test
  void runsOfDifferentBatchSizes_keepTheBudget_andTheAuditAgrees() throws IOException {
    String search =
        "{strategy: grid, points: {values: 1, others: 2}, space: {logitNoise: 1, steps: 5,"
            + " batchSize: {min: 80, max: 400}}, score: {on: private, epsilon: 0.2}}";
    SmallSweep sweep = SmallSweep.in(folder).search(search).train("{method: dp-sgd}");
    CommandRun run = CommandRun.run(sweep).succeeded();

    JsonNode statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    assertThat(statement.path("guarantee").asString()).isEqualTo("holds");
    assertThat(statement.path("epsilon").asDouble()).isBetween(1.98, 2.0);
    List<String> trials = Files.readAllLines(run.folder().resolve("trials.csv"));
    assertThat(trials.get(0)).endsWith(",samplingRate,from");
    int column = List.of(trials.get(0).split(",", -1)).indexOf("samplingRate");
    assertThat(trials.subList(1, 3))
        .extracting(line -> Double.parseDouble(line.split(",", -1)[column]))
        .satisfiesExactly(
            small -> assertThat(small).isBetween(0.1999999, 0.2000001),
            all -> assertThat(all).isEqualTo(1));
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  @Test
  void aLineForTheJointRadius_isFittedAndSplitAgain() throws IOException {
    String search =
        "{strategy: linear-scaling, space: {learningRate: {min: 0.1, max: 9}, steps: 20,"
            + " clipNorm: {min: 0.5, max: 2}}, sweeps: [{epsilon: 0.3, trials: 2},"
            + " {epsilon: 0.6, trials: 2}], score: {on: private, epsilon: 0.2}}";
    SmallSweep sweep = SmallSweep.in(folder).search(search);
    CommandRun run = CommandRun.run(sweep).succeeded();

    JsonNode result = Json.read(Files.readString(run.folder().resolve("result.json")));
    assertThat(result.path("fit").path("value").asString()).isEqualTo("jointRadius");
    assertThat(result.path("final").path("clipNorm").asDouble()).isBetween(0.5, 2.0);
    assertThat(Files.readString(run.folder().resolve("report.html"))).contains("joint radius");
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  @Test
  void anOracle_saysInItsFirstWordsThatNothingHolds_andItsTrueTotal() throws IOException {
    String search =
        "{strategy: oracle, points: {values: 4}, "
            + SPACE
            + ", score: {on: private, uncharged: true}}";
    SmallSweep sweep = SmallSweep.in(folder).search(search).declaredPublic();
    CommandRun run = CommandRun.run(sweep).succeeded();

    JsonNode statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    assertThat(statement.path("guarantee").asString()).isEqualTo("void");
    assertThat(statement.path("why").asString())
        .contains("each of 4 runs spent the whole budget")
        .contains("nothing was charged");
    // Four times the budget's μ² of an ε of 2: far above it.
    assertThat(statement.path("epsilon").asDouble()).isGreaterThan(4);
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  @Test
  void anInterruptedOne_goesOnToWhatItWouldHaveBeen() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).search(GRID).seed(3).parallel(2);
    sweep.command("run");
    String text = Files.readString(folder.resolve("sweep.yaml"));
    SweepContext context = SweepContext.ofFile(folder.resolve("sweep.yaml"));
    StudyPlan plan = StudyPlan.of(SweepReader.read("sweep.yaml", text, context));
    try (StudyStore store = Stores.open(sweep.store())) {
      Study whole = Study.create(plan, text, context, sweep.runs());
      store.create(whole.record(), plan.trials().size(), AccountClaim.NONE);
      StudyResult expected = run(store, whole, () -> false);
      Study broken = Study.create(plan, text, context, sweep.runs());
      store.create(broken.record(), plan.trials().size(), AccountClaim.NONE);
      AtomicInteger looks = new AtomicInteger();
      assertThatThrownBy(() -> run(store, broken, () -> looks.incrementAndGet() > 110))
          .isInstanceOf(StudyInterruptedException.class);

      StudyResult result = run(store, broken, () -> false);

      assertThat(result.model().weights()).isEqualTo(expected.model().weights());
      assertThat(result.decision()).isEqualTo(expected.decision());
      assertThat(store.charges(broken.id())).hasSize(8);
    }
  }
}
