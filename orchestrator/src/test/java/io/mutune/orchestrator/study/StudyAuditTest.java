package io.mutune.orchestrator.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.RegisteredSets;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TestStores;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.method.Iterate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An audit beside a study that runs. What an audit must find is tested where its command is. */
class StudyAuditTest {
  static final String SWEEP =
      """
      version: 1
      name: small
      data:
        private: {path: none.csv, format: csv, classes: 2, rows: 100}
      budget: {epsilon: 1, delta: 1.0e-5}
      search:
        strategy: scale-free
        space: {steps: 10}
        sweeps:
          - {epsilon: 0.2, trials: 1}
        score: {on: private, epsilon: 0.1}
      """;

  @TempDir Path folder;

  @Test
  void aStudyThatGoesOnBetweenTwoLooks_isNotAccused() {
    SweepContext context = new SweepContext(folder, folder, Map.of());
    StudyPlan plan = StudyPlan.of(SweepReader.read("small.yaml", SWEEP, context));
    int looks = 0;
    for (int before = 0; before <= looks; before++) {
      try (StudyStore store = Stores.open(folder.resolve(before + ".db"))) {
        Study study = Study.create(plan, SWEEP, context, folder);
        store.create(study.record(), 1, AccountClaim.NONE);
        AtomicInteger seen = new AtomicInteger();
        int moment = before;
        StudyStore watched =
            intercepted(
                store,
                () -> {
                  if (seen.getAndIncrement() == moment) {
                    runTrial(store, study);
                  }
                });
        assertThat(StudyAudit.of(watched, study, Optional.empty()).problems()).isEmpty();
        looks = seen.get();
      }
    }
    assertThat(looks).isGreaterThanOrEqualTo(4);
  }

  /** As a version leaves it that plans otherwise. */
  @Test
  void aPlanThatIsNotTheOneThatWasKept_isAWarning_thatNamesTheDifference() {
    SweepContext context = new SweepContext(folder, folder, Map.of());
    StudyPlan plan = StudyPlan.of(SweepReader.read("small.yaml", SWEEP, context));
    StudyPlan other =
        StudyPlan.of(
            SweepReader.read(
                "small.yaml", SWEEP.replace("epsilon: 0.1", "epsilon: 0.11"), context));
    try (StudyStore store = TestStores.inMemory()) {
      Study same = Study.create(plan, SWEEP, context, folder);
      same.enter(store);
      Study changed = Study.create(plan, SWEEP, context, folder);
      store.create(changed.record(), 1, AccountClaim.NONE, List.of(PlanNote.of(other)));

      assertThat(StudyAudit.of(store, same, Optional.empty()).warnings()).isEmpty();
      StudyAudit audit = StudyAudit.of(store, changed, Optional.empty());
      assertThat(audit.problems()).isEmpty();
      assertThat(audit.warnings()).hasSize(2);
      assertThat(audit.warnings().get(0))
          .startsWith("planned again, score 1 is gaussian {")
          .contains("; it was gaussian {");
      assertThat(audit.warnings().get(1)).startsWith("planned again, final is mu ");
    }
  }

  /** Their plans in μ, which are not kept, are made again. */
  @Test
  void studiesThatAnEarlierVersionLetIn_areRead() {
    isReadThoughNoLongerPlanned(
        "search: {strategy: fixed}\n"
            + "train: {method: output-perturbation, weightDecay: 0.1, loss: logistic,"
            + " solverDistance: 0.001}\n",
        "0.001",
        "1.0e-9",
        "train: solverDistance must be at least");
    isReadThoughNoLongerPlanned(
        "search: {strategy: random, space: {radius: 30, steps: 30}}\n"
            + "run: {noise: {grid: 40}}\n",
        "40",
        "50",
        "run.noise.grid must be coarser: the sums of training");
  }

  private void isReadThoughNoLongerPlanned(
      String settings, String kept, String passed, String why) {
    String head = SWEEP.substring(0, SWEEP.indexOf("search:"));
    String sound = head.replace("classes:", "features: 3, classes:") + settings;
    String unsound = Sweeps.edited(sound, kept, passed);
    SweepContext context = new SweepContext(folder, folder, Map.of());
    StudyPlan plan = StudyPlan.of(SweepReader.read("small.yaml", sound, context));
    try (StudyStore store = TestStores.inMemory()) {
      Study stored = Study.create(plan, unsound, context, folder);
      stored.enter(store);

      Study read = Study.ofRecord(stored.record());

      assertThat(StudyAudit.of(store, read, Optional.empty()).problems()).isEmpty();
      assertThatExceptionOfType(InvalidSweepException.class)
          .isThrownBy(() -> StudyPlan.of(read.sweep()))
          .withMessageContaining(why);
    }
  }

  /** Which an earlier version let in, where the sweep was read by another store. */
  @Test
  void aStudyOfAnotherCardThanTheRegisteredOne_isFound() {
    String inPlace = SWEEP.replace("classes: 2,", "features: 3, classes: 2,");
    String sweep = RegisteredSets.naming("people", inPlace);
    SweepContext context = new SweepContext(folder, folder, Map.of());
    try (StudyStore store = TestStores.inMemory()) {
      RegisteredSets.register(store, folder, "people", inPlace);
      CardText card = store.dataSet("people").orElseThrow().card();
      CardText other =
          new CardText(
              card.name(),
              card.version(),
              card.account(),
              card.text().replace("100", "200"),
              card.context());
      Study honest = study(sweep, context.with(card));
      honest.enter(store);
      Study tampered = study(sweep, context.with(other));
      store.create(tampered.record(), 1, AccountClaim.NONE);

      assertThat(StudyAudit.of(store, honest, Optional.empty()).problems()).isEmpty();
      assertThat(StudyAudit.of(store, tampered, Optional.empty()).problems())
          .contains(
              "its card of the data set people, version 1, is not the one that is registered");
    }
  }

  private Study study(String sweep, SweepContext context) {
    StudyPlan plan = StudyPlan.of(SweepReader.read("small.yaml", sweep, context));
    return Study.create(plan, sweep, context, folder);
  }

  private static void runTrial(StudyStore store, Study study) {
    PlannedTrial trial = study.plan().trials().get(0);
    store.reserve(study.id(), study.plan().filter(), study.plan().trialCharge(trial));
    store.move(study.id(), 1, RunState.CHARGED);
    int start = store.start(study.id(), 1).starts();
    store.beginSteps(study.id(), 1, start, 1, 10);
    store.checkpoint(study.id(), 1, start, new Iterate(10, new double[2], new double[2]));
    store.move(study.id(), 1, RunState.TRAINED);
    store.reserve(study.id(), study.plan().filter(), study.plan().scoreCharge(trial).orElseThrow());
    store.score(study.id(), 1, 0.5);
  }

  /** The same store, with something done before each call. */
  private static StudyStore intercepted(StudyStore store, Runnable before) {
    return StoreDecorator.of(
        store,
        (operation, arguments, inner) -> {
          before.run();
          return inner.run(arguments);
        });
  }
}
