package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.testing.Effort;
import io.mutune.testing.Thorough;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trials in lockstep share passes over the rows, and nothing else. */
@Timeout(120)
class TogetherTest {
  /** Random points, so that each trial has its own number of steps. */
  private static final String OWN_STEPS =
      """
      search:
        strategy: linear-scaling
        space: {radius: {min: 1, max: 10}, steps: {min: 20, max: 120}}
        sweeps:
          - {epsilon: 0.3, trials: 3}
          - {epsilon: 0.5, trials: 2}
        fit: {guards: off}
        score: {on: private, epsilon: 0.1}
      train""";

  @TempDir Path folder;

  /** A study that may be started again, in a store of its own. */
  private static final class Runs {
    private final Path output;
    private final Study study;

    private Runs(SmallSweep sweep, String text, Path output) {
      this.output = output;
      SweepContext context = SweepContext.ofFile(sweep.privateRows().resolveSibling("sweep.yaml"));
      StudyPlan plan = StudyPlan.of(SweepReader.read("sweep.yaml", text, context));
      this.study = Study.create(plan, text, context, output);
    }

    static Runs of(SmallSweep sweep) throws IOException {
      return ofText(sweep, written(sweep));
    }

    static String written(SmallSweep sweep) throws IOException {
      sweep.command("run");
      return Files.readString(sweep.privateRows().resolveSibling("sweep.yaml"));
    }

    static Runs ofText(SmallSweep sweep, String text) throws IOException {
      Path output = Files.createTempDirectory(sweep.privateRows().getParent(), "runs");
      Runs runs = new Runs(sweep, text, output);
      try (StudyStore store = Stores.open(runs.store())) {
        store.create(runs.study.record(), runs.study.plan().trials().size(), AccountClaim.NONE);
      }
      return runs;
    }

    Path store() {
      return output.resolve(StoreOption.FILE);
    }

    StudyResult run(Engine engine) throws IOException {
      return run(engine, StudyListener.SILENT, () -> false);
    }

    StudyResult run(Engine engine, StudyListener listener, BooleanSupplier cancelled)
        throws IOException {
      try (StudyStore store = Stores.open(store())) {
        return new StudyRunner(store, study, new RunEnvironment(engine, listener, cancelled)).run();
      }
    }
  }

  private static void requireSame(StudyResult one, StudyResult other) {
    assertThat(other.model().weights()).isEqualTo(one.model().weights());
    assertThat(other.trials()).isEqualTo(one.trials());
    assertThat(other.testAccuracy()).isEqualTo(one.testAccuracy());
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void trialsOfAnyNumberOfSteps_releaseTogetherWhatTheyWouldOneByOne(Engine engine)
      throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).seed(7);
    StudyResult one = Runs.ofText(sweep, ownSteps(sweep.parallel(1))).run(engine);
    assertThat(one.trials()).extracting(t -> t.trial().point().steps()).doesNotHaveDuplicates();
    for (int together : Effort.oneIn(2, Stream.of(2, 3, 8)).toList()) {
      requireSame(one, Runs.ofText(sweep, ownSteps(sweep.parallel(together))).run(engine));
    }
  }

  private static String ownSteps(SmallSweep sweep) throws IOException {
    return Runs.written(sweep).replaceFirst("(?s)search:.*?\ntrain", OWN_STEPS);
  }

  @ParameterizedTest
  @CsvSource({"dp-sgd, KERNEL", "adamix, KERNEL", "adamix, ND4J"})
  void samplesAndClipNormsOfTheirOwn_areTheSameTogether(String method, Engine engine)
      throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).seed(7);
    if (method.equals("adamix")) {
      sweep.adaMix();
    } else {
      sweep.train("{method: dp-sgd, batchSize: 40}");
    }
    StudyResult one = Runs.of(sweep.parallel(1)).run(engine);
    requireSame(one, Runs.of(sweep.parallel(3)).run(engine));
  }

  /** One trial that takes its time holds the others; each alone would run away from it. */
  @Test
  void trialsAdvanceTogether_stepByStep() throws Exception {
    Map<String, Integer> steps = new ConcurrentHashMap<>();
    AtomicInteger furthestApart = new AtomicInteger();
    StudyListener slow =
        new StudyListener() {
          @Override
          public void step(String run, int done, int all) {
            steps.put(run, done);
            if (run.equals("trial 2") && done % 10 == 0) {
              pause();
              int least = steps.values().stream().min(Integer::compare).orElseThrow();
              int most = steps.values().stream().max(Integer::compare).orElseThrow();
              furthestApart.accumulateAndGet(most - least, Math::max);
            }
          }
        };
    Runs.of(SmallSweep.in(folder).parallel(3)).run(Engine.KERNEL, slow, () -> false);
    assertThat(steps).containsOnlyKeys("trial 1", "trial 2", "trial 3", "final");
    assertThat(furthestApart).hasValueLessThanOrEqualTo(1);
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whichever of the others hears of it first. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aTrialThatFails_stopsTheOthers_andIsTheNews(int failing) throws Exception {
    for (int time = 0; time < Effort.of(2, 10); time++) {
      AtomicBoolean failed = new AtomicBoolean();
      StudyListener listener =
          new StudyListener() {
            @Override
            public void step(String run, int done, int all) {
              if (run.equals("trial " + failing) && done == 17) {
                failed.set(true);
                throw new UnsupportedOperationException("of " + run);
              }
            }
          };
      Runs runs = Runs.of(SmallSweep.in(folder).parallel(3));
      assertThatThrownBy(() -> runs.run(Engine.KERNEL, listener, () -> false))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("of trial " + failing);
      assertThat(failed).isTrue();
      try (StoreView view = StoreView.of(runs.store())) {
        assertThat(view.charges()).containsExactlyInAnyOrder("trial 1", "trial 2", "trial 3");
      }
      runs.run(Engine.KERNEL);
      try (StoreView view = StoreView.of(runs.store())) {
        assertThat(view.charges()).hasSize(7).doesNotHaveDuplicates();
        // A block of 40 steps is two; the trials that were stopped lost none of theirs.
        assertThat(view.stepsLost()).isBetween(1L, 2L);
      }
    }
  }

  @Test
  void aJournalThatRefuses_endsTheStudyWithItsReason() throws Exception {
    Runs runs = Runs.of(SmallSweep.in(folder).steps(100).parallel(3));
    try (StudyStore other = Stores.open(runs.store())) {
      StudyListener overtaking =
          new StudyListener() {
            @Override
            public void step(String run, int done, int steps) {
              if (run.equals("trial 2") && done == 50) {
                other.start(runs.study.id(), 2);
              }
            }
          };
      assertThatThrownBy(() -> runs.run(Engine.KERNEL, overtaking, () -> false))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("another process has changed this study");
    }
    runs.run(Engine.KERNEL);
    try (StoreView view = StoreView.of(runs.store())) {
      assertThat(view.stepsLost()).isEqualTo(4);
      assertThat(view.charges()).hasSize(7).doesNotHaveDuplicates();
    }
  }

  /** Between any two steps of the three trials. */
  @Test
  void aStudyThatIsCancelled_losesNoStep_andEndsAsIfItHadNotBeen() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).seed(7).parallel(3);
    StudyResult whole = Runs.of(sweep).run(Engine.KERNEL);
    for (int looks : Effort.oneIn(2, Stream.of(1, 2, 3, 4, 5, 50, 100, 123)).toList()) {
      Runs runs = Runs.of(sweep);
      AtomicInteger looked = new AtomicInteger();
      assertThatThrownBy(
              () ->
                  runs.run(
                      Engine.KERNEL, StudyListener.SILENT, () -> looked.incrementAndGet() > looks))
          .isInstanceOf(StudyInterruptedException.class);
      requireSame(whole, runs.run(Engine.KERNEL));
      try (StoreView view = StoreView.of(runs.store())) {
        assertThat(view.stepsLost()).isZero();
      }
    }
  }

  @Test
  @Thorough
  void threeTrialsThatAreKilled_loseABlockEachAtMost_andNoCharge() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(2000).parallel(3);
    int kills = Effort.of(2, 3);
    for (int kill = 0; kill < kills; kill++) {
      long target = 1500L * kill + 200;
      try (MutuneProcess process =
              MutuneProcess.start(sweep.command(kill == 0 ? "run" : "resume"));
          StoreView store = process.store(sweep)) {
        process.until(() -> store.stepsBegun() > target);
        assertThat(process.kill()).as("was still running").isTrue();
      }
      KilledStudyTest.audit(sweep);
    }
    CommandRun.of(sweep.command("resume")).succeeded();
    KilledStudyTest.audit(sweep);
    try (StoreView store = StoreView.of(sweep.store())) {
      assertThat(store.charges())
          .containsExactlyInAnyOrder(
              "trial 1", "score 1", "trial 2", "score 2", "trial 3", "score 3", "final");
      assertThat(store.stepsLost()).isLessThanOrEqualTo((long) kills * 3 * 63);
    }
  }

  @Test
  void everyTrial_isChargedBeforeAnyOfItsStepsIsDone() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).parallel(3);
    Runs runs = Runs.of(sweep);
    AtomicInteger steps = new AtomicInteger();
    try (StoreView view = StoreView.of(runs.store())) {
      StudyListener watching =
          new StudyListener() {
            @Override
            public synchronized void step(String run, int done, int all) {
              try {
                assertThat(view.charges()).contains(run);
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
              steps.incrementAndGet();
            }
          };
      StudyResult result = runs.run(Engine.KERNEL, watching, () -> false);
      assertThat(steps).hasValue(4 * 40);
      List<PlannedTrial> trials = result.trials().stream().map(t -> t.trial()).toList();
      assertThat(trials).isEqualTo(result.study().plan().trials());
    }
  }
}
