package io.mutune.orchestrator.cli;

import static io.mutune.orchestrator.cli.StudiesHere.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.Guard;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TestStores;
import io.mutune.orchestrator.study.ReleasedModel;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyPieces;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A study that is gone on with by a version that would choose otherwise: another plan of the same
 * charges stands for it.
 */
@Timeout(120)
class KeptChoicesTest {
  private static final String SEARCH =
      "{strategy: linear-scaling, space: {learningRate: {min: 0.01, max: 9}, steps: %s}, sweeps:"
          + " [{epsilon: 0.2, trials: 2}, {epsilon: 0.4, trials: 1}], fit: {guards: off}, seed: %d,"
          + " decompose: %s, score: {on: private, epsilon: 0.3}}";

  /** The trials of both are the same, the final run's steps are not. */
  private static final String BEGUN = SEARCH.formatted("{min: 5, max: 60}", 7, "sample-both");

  private static final String OTHER = SEARCH.formatted("{min: 5, max: 60}", 7, "sample-steps");

  /** All runs are of as many steps, at other rates. */
  private static final String RATES = SEARCH.formatted("20", 4, "sample-both");

  private static final String OTHER_RATES = SEARCH.formatted("20", 5, "sample-both");

  private static final RunEnvironment SILENT =
      new RunEnvironment(Engine.REFERENCE, StudyListener.SILENT, () -> false);

  @TempDir Path folder;

  private Study study(String search) throws IOException {
    return StudiesHere.of(SmallSweep.in(folder).search(search).seed(3));
  }

  private Study entered(StudyStore store, String search) throws IOException {
    Study study = study(search);
    study.enter(store);
    return study;
  }

  /** The same study as a version with other constants would plan it. */
  private Study replanned(Study study, String search) throws IOException {
    return new Study(study.record(), study(search).plan());
  }

  private static void stop(StudyStore store, Study study, BooleanSupplier when) {
    assertThatThrownBy(() -> run(store, study, when)).isInstanceOf(StudyInterruptedException.class);
  }

  private static Stream<StudyNote> choices(StudyStore store, Study study) {
    return store.notes(study.id()).stream().filter(n -> n.kind() == StudyNote.Kind.CHOICE);
  }

  private static boolean isChosen(StudyStore store, Study study, String run) {
    return choices(store, study).anyMatch(note -> run.equals(note.content().get("run")));
  }

  private static boolean isWithin(StudyStore store, Study study, int run) {
    RunRecord record = store.trial(study.id(), run);
    return record.state() == RunState.CHARGED && record.stepsBegun() > 0;
  }

  private static void requireSame(StudyResult one, StudyResult other) {
    assertThat(other.model().weights()).isEqualTo(one.model().weights());
    assertThat(other.trials()).isEqualTo(one.trials());
    assertThat(other.decision().point()).isEqualTo(one.decision().point());
    assertThat(other.testAccuracy()).isEqualTo(one.testAccuracy());
  }

  private static void requireSound(StudyStore store, Study study) {
    assertThat(StudyAudit.of(store, study, Optional.empty()).problems()).isEmpty();
    assertThat(store.charges(study.id()).stream().map(c -> c.charge().what()))
        .doesNotHaveDuplicates();
  }

  @Test
  void aFinalRunThatWasBegun_orOnlyChosen_goesOnAtThePointThatWasKept() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult whole = run(store, entered(store, BEGUN), () -> false);
      StudyResult other = run(store, replanned(entered(store, BEGUN), OTHER), () -> false);
      assertThat(other.trials()).isEqualTo(whole.trials());
      assertThat(other.decision().point().steps()).isNotEqualTo(whole.decision().point().steps());

      Study within = entered(store, BEGUN);
      stop(store, within, () -> isWithin(store, within, RunRecord.FINAL));
      Study between = entered(store, BEGUN);
      stop(store, between, () -> isChosen(store, between, "final"));
      assertThat(store.charge(between.id(), "final")).isEmpty();
      for (Study stopped : List.of(within, between)) {
        StudyResult result = run(store, replanned(stopped, OTHER), () -> false);

        requireSame(whole, result);
        assertThat(result.decision().fit()).isEmpty();
        Guard kept = result.decision().guards().get(result.decision().guards().size() - 1);
        assertThat(kept.name()).isEqualTo("kept-choice");
        assertThat(kept.action()).contains("in " + other.decision().point().steps() + " steps");
        requireSound(store, stopped);
        requireSound(store, replanned(stopped, OTHER));
        // Once more, as where only the results could not be written.
        requireSame(whole, run(store, replanned(stopped, OTHER), () -> false));
      }
    }
  }

  @Test
  void aStudyThatGoesOnAsItWasBegun_hasItsFit_andKeepsEachChoiceOnce() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      Study study = entered(store, BEGUN);
      stop(store, study, () -> isWithin(store, study, RunRecord.FINAL));
      StudyResult result = run(store, study, () -> false);

      assertThat(result.decision().fit()).isPresent();
      assertThat(result.decision().guards()).extracting(Guard::name).doesNotContain("kept-choice");
      assertThat(choices(store, study).map(note -> note.content().get("run")))
          .containsExactly("trial 1", "trial 2", "trial 3", "final");
      assertThat(StudyAudit.of(store, study, Optional.empty()).warnings()).isEmpty();
    }
  }

  @Test
  void aTrialThatWasBegun_goesOnAtItsRate_andCountsAtIt() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult whole = run(store, entered(store, RATES), () -> false);
      StudyResult other = run(store, replanned(entered(store, RATES), OTHER_RATES), () -> false);
      Study study = entered(store, RATES);
      stop(store, study, () -> isWithin(store, study, 2));
      StudyResult result = run(store, replanned(study, OTHER_RATES), () -> false);

      assertThat(result.trials().subList(0, 2)).isEqualTo(whole.trials().subList(0, 2));
      assertThat(result.trials().get(2)).isEqualTo(other.trials().get(2));
      assertThat(result.trials().get(2)).isNotEqualTo(whole.trials().get(2));
      requireSound(store, study);
    }
  }

  /** A worker of another version takes over a study from the queue. */
  @Test
  void workersOfTwoVersions_goOnAtThePointThatWasKeptFirst() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult whole = run(store, entered(store, BEGUN), () -> false);
      Study study = entered(store, BEGUN);
      RunEnvironment stopping =
          new RunEnvironment(
              Engine.REFERENCE,
              StudyListener.SILENT,
              () -> isWithin(store, study, RunRecord.FINAL));
      StudyPieces one = new StudyPieces(store, study, stopping);
      StudyPieces other = new StudyPieces(store, replanned(study, OTHER), SILENT);
      one.trial(1);
      other.trial(2);
      one.trial(3);
      assertThatThrownBy(one::last).isInstanceOf(StudyInterruptedException.class);

      requireSame(whole, other.last());
      requireSound(store, study);
    }
  }

  /** The one that is slower is told what the other has kept, between its look and its note. */
  @Test
  void ofTwoThatDecideAtOnce_bothTakeTheFirst() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult whole = run(store, entered(store, BEGUN), () -> false);
      Study study = entered(store, BEGUN);
      StudyStore late =
          StoreDecorator.of(
              store,
              (operation, arguments, inner) -> {
                if (operation.equals("note")
                    && arguments[1] instanceof StudyNote note
                    && "final".equals(note.content().get("run"))
                    && !isChosen(store, study, "final")) {
                  stop(store, study, () -> isChosen(store, study, "final"));
                }
                return inner.run(arguments);
              });
      StudyResult result = run(late, replanned(study, OTHER), () -> false);

      assertThat(choices(store, study).filter(n -> "final".equals(n.content().get("run"))))
          .hasSize(2);
      requireSame(whole, result);
      requireSound(store, study);
    }
  }

  @Test
  void aReleaseThatWasBegun_goesOnAtItsOwnPoint() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      Study whole = StudiesHere.of(SmallSweep.in(folder).search(BEGUN).seed(3).releases("[0.5]"));
      whole.enter(store);
      List<ReleasedModel> released = run(store, whole, () -> false).releases();
      Study study = StudiesHere.of(SmallSweep.in(folder).search(BEGUN).seed(3).releases("[0.5]"));
      study.enter(store);
      stop(store, study, () -> isWithin(store, study, released.get(0).planned().run()));
      Study later =
          new Study(
              study.record(),
              StudiesHere.of(SmallSweep.in(folder).search(OTHER).seed(3).releases("[0.5]")).plan());
      ReleasedModel again = run(store, later, () -> false).releases().get(0);

      assertThat(again.decision().point()).isEqualTo(released.get(0).decision().point());
      assertThat(again.model().weights()).isEqualTo(released.get(0).model().weights());
      requireSound(store, study);
      requireSound(store, later);
    }
  }

  /** As versions left it that kept no choices. */
  @Test
  void aChargeWithoutAKeptChoice_isRefused() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      Study study = entered(store, BEGUN);
      StudyPlan plan = study.plan();
      store.reserve(study.id(), plan.filter(), plan.trialCharge(plan.trials().get(0)));

      assertThatThrownBy(() -> run(store, study, () -> false))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("a charge for trial 1, and no point was kept for it");
      assertThat(choices(store, study)).isEmpty();
      assertThat(store.charges(study.id())).hasSize(1);
    }
  }

  @Test
  void aStudyWithAChargeThatIsNotPlanned_isRefusedBeforeAnythingMore() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      Study study = entered(store, BEGUN);
      stop(store, study, () -> store.charge(study.id(), "score 3").isPresent());
      Study dearer = replanned(study, BEGUN.replace("epsilon: 0.4", "epsilon: 0.5"));
      int before = store.charges(study.id()).size();

      assertThatThrownBy(() -> run(store, dearer, () -> false))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("its ledger has another charge for trial 3");
      assertThat(store.charges(study.id())).hasSize(before);
      run(store, study, () -> false);
      requireSound(store, study);
    }
  }
}
