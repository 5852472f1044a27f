package io.mutune.orchestrator.cli;

import static io.mutune.orchestrator.cli.StudiesHere.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.plan.SecretRuns;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tuning on secret samples, then a final run on all rows. */
@Timeout(600)
class SubsampledTuningTest {
  static final String SEARCH =
      "{strategy: subsampled-tuning, epsilon: 1, sampleRate: 0.3, space: {logitNoise: {min: 0.1,"
          + " max: 10}, steps: 40}, runs: {mean: 6}, score: {on: private, epsilon: 0.5}}";

  @TempDir Path folder;

  @Test
  void aStudy_chargesTuningAndTheFinalRun_andItsAuditAgrees() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).search(SEARCH);

    CommandRun run = CommandRun.run(sweep).succeeded();

    JsonNode statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    assertThat(statement.path("charges").size()).isEqualTo(2);
    assertThat(statement.path("charges").get(0).path("what").asString()).isEqualTo("tuning");
    assertThat(statement.path("epsilon").asDouble()).isBetween(2 * (1 - 1e-5), 2.0);
    assertThat(Files.readString(run.folder().resolve("statement.txt")))
        .contains("each on a secret sample of the rows", "of a run's own sample");
    assertThat(Files.readString(run.folder().resolve("result.json"))).doesNotContain("seconds");
    // Classes around centres far apart: chance is a third.
    assertThat(
            Json.read(Files.readString(run.folder().resolve("result.json")))
                .path("testAccuracy")
                .asDouble())
        .isGreaterThan(0.6);
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  private Study created(StudyStore store, SmallSweep sweep) throws IOException {
    Study study = StudiesHere.of(sweep);
    study.enter(store);
    return study;
  }

  @Test
  void oneStoppedInItsFinalRun_goesOn_andTunesNoSecondTime() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).search(SEARCH);
    try (StudyStore store = Stores.open(sweep.store())) {
      Study study = created(store, sweep);
      BooleanSupplier inTheFinalRun = () -> store.trial(study.id(), 0).stepsBegun() > 10;

      assertThatThrownBy(() -> run(store, study, inTheFinalRun))
          .isInstanceOf(StudyInterruptedException.class);
      assertThat(store.trial(study.id(), StudyPlan.TUNING).state()).isEqualTo(RunState.TRAINED);
      double[] best = store.trial(study.id(), StudyPlan.TUNING).checkpoint().orElseThrow().memory();

      StudyResult result = run(store, study, () -> false);

      assertThat(store.trial(study.id(), StudyPlan.TUNING).checkpoint().orElseThrow().memory())
          .isEqualTo(best);
      assertThat(store.trial(study.id(), StudyPlan.TUNING).starts()).isEqualTo(1);
      assertThat(store.charges(study.id()))
          .extracting(charge -> charge.charge().what())
          .containsExactly("tuning", "final");
      assertThat(result.finalCharge())
          .contains(study.plan().finalCharge(result.decision().point()));
      StudyAudit audit = StudyAudit.of(store, study, Optional.empty());
      assertThat(audit.problems()).isEmpty();
    }
  }

  @Test
  void aRunMayAskItsOwnSampleForWhatItsChargeHas_andNoMore() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).search(SEARCH);
    try (StudyStore store = Stores.open(sweep.store())) {
      Study study = created(store, sweep);
      SecretRuns runs = study.plan().secretRuns().orElseThrow();
      StoredCharge tuning = store.reserve(study.id(), study.plan().filter(), runs.charge());
      var point = new TrialPoint(1, 40);
      var training = runs.training(point);
      var score = runs.score().orElseThrow();

      assertThat(tuning.ofOneRun(List.of(training, score))).hasSize(2);
      assertThatThrownBy(() -> tuning.ofOneRun(List.of(training, score, score)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("may cost");
    }
  }
}
