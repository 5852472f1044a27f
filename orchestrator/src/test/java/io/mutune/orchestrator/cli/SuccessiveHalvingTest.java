package io.mutune.orchestrator.cli;

import static io.mutune.orchestrator.cli.StudiesHere.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.search.Guard;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TestStores;
import io.mutune.orchestrator.study.NoRoomException;
import io.mutune.orchestrator.study.Piece;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyPieces;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.trainer.data.RowRoom;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Rounds of 4 and 2 trials, and a final run at the best of them. */
@Timeout(120)
class SuccessiveHalvingTest {
  private static final String SEARCH =
      "{strategy: successive-halving, points: {values: 4}, space: {learningRate: {min: 0.01, max:"
          + " 9}, steps: 20}}";
  private static final RunEnvironment SILENT =
      new RunEnvironment(Engine.REFERENCE, StudyListener.SILENT, () -> false);

  @TempDir Path folder;

  private Study study(int together) throws IOException {
    return StudiesHere.of(SmallSweep.in(folder).search(SEARCH).seed(3).parallel(together));
  }

  private Study entered(StudyStore store, int together) throws IOException {
    Study study = study(together);
    study.enter(store);
    return study;
  }

  private static void requireSame(StudyResult one, StudyResult other) {
    assertThat(other.model().weights()).isEqualTo(one.model().weights());
    assertThat(other.trials()).isEqualTo(one.trials());
    assertThat(other.decision()).isEqualTo(one.decision());
    assertThat(other.testAccuracy()).isEqualTo(one.testAccuracy());
  }

  /** Every question once, and all of them the plan's. */
  private static void requireWhole(StudyStore store, Study study) {
    assertThat(store.charges(study.id()).stream().map(c -> c.charge().what()))
        .containsExactlyInAnyOrder(
            "trial 1", "score 1", "trial 2", "score 2", "trial 3", "score 3", "trial 4", "score 4",
            "trial 5", "score 5", "trial 6", "score 6", "final");
    StudyAudit audit = StudyAudit.of(store, study, Optional.empty());
    assertThat(audit.problems()).isEmpty();
    assertThat(audit.warnings()).isEmpty();
  }

  @Test
  void aStudy_trainsTheBestAnew_keepsItsBudget_andSaysWhatWentOn() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).search(SEARCH).parallel(8);
    CommandRun run = CommandRun.run(sweep).succeeded();

    JsonNode statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    assertThat(statement.path("guarantee").asString()).isEqualTo("holds");
    assertThat(statement.path("epsilon").asDouble()).isBetween(2 * (1 - 1e-8), 2.0);
    JsonNode result = Json.read(Files.readString(run.folder().resolve("result.json")));
    JsonNode trials = result.path("trials");
    assertThat(trials.size()).isEqualTo(6);
    for (int later = 4; later < 6; later++) {
      JsonNode before = trials.get(trials.get(later).path("from").asInt() - 1);
      assertThat(before.path("sweep").asInt()).isEqualTo(1);
      assertThat(trials.get(later).path("learningRate")).isEqualTo(before.path("learningRate"));
      assertThat(trials.get(later).path("sigma").asDouble())
          .isLessThan(before.path("sigma").asDouble());
    }
    JsonNode last = trials.get(result.path("final").path("from").asInt() - 1);
    assertThat(last.path("sweep").asInt()).isEqualTo(2);
    assertThat(result.path("final").path("learningRate")).isEqualTo(last.path("learningRate"));
    String went = "Of the 4 trials of sweep 1 went on, the best first: trial ";
    assertThat(run.out()).contains(went);
    assertThat(Files.readString(run.folder().resolve("report.html")))
        .contains(went, "The final run takes over the point of trial ");
    List<String> csv = Files.readAllLines(run.folder().resolve("trials.csv"));
    assertThat(csv).hasSize(7);
    assertThat(csv.get(0)).endsWith(",from");
    assertThat(csv.get(4)).endsWith(",");
    assertThat(csv.get(5)).endsWith("," + trials.get(4).path("from").asInt());
    CommandRun.of(sweep.command("audit")).succeeded();
    CommandRun.of(sweep.command("status")).succeeded();
  }

  @Test
  void aStudyThatStops_withinARoundOrBetweenTwo_endsAsIfItHadNot() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult whole = run(store, entered(store, 1), () -> false);
      requireSame(whole, run(store, whole.study(), () -> false));
      for (int looks : List.of(1, 75, 90, 125)) {
        Study broken = entered(store, 3);
        AtomicInteger looked = new AtomicInteger();
        assertThatThrownBy(() -> run(store, broken, () -> looked.incrementAndGet() > looks))
            .isInstanceOf(StudyInterruptedException.class);

        requireSame(whole, run(store, broken, () -> false));
        requireWhole(store, broken);
      }
      Study between = entered(store, 8);
      assertThatThrownBy(() -> run(store, between, () -> store.charges(between.id()).size() == 8))
          .isInstanceOf(StudyInterruptedException.class);
      assertThat(store.trial(between.id(), 4).state()).isEqualTo(RunState.SCORED);
      assertThat(store.trial(between.id(), 5).state()).isEqualTo(RunState.PLANNED);

      requireSame(whole, run(store, between, () -> false));
      requireWhole(store, between);
    }
  }

  /** The memory of its rows is held before anything is charged. */
  @Test
  void whereOtherStudiesHoldTheMemory_nothingIsCharged_andItGoesOnLater() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      Study study = entered(store, 3);
      RowRoom room = new RowRoom(1e9);
      RowRoom.Share others = room.share();
      assertThat(others.hold(1e9)).isTrue();
      RowRoom.Share its = room.share();
      StudyPieces pieces = new StudyPieces(store, study, SILENT.beside(its));
      assertThatThrownBy(() -> pieces.trial(1)).isInstanceOf(NoRoomException.class);
      assertThat(store.charges(study.id())).isEmpty();
      others.close();
      pieces.trial(1);
      assertThat(store.charges(study.id())).isNotEmpty();
      assertThat(others.hold(1e9)).isFalse();
    }
  }

  /**
   * Two processes that share a study: a round is there when the one before it is, and not before.
   */
  @Test
  void workersThatShareAStudy_comeToTheSame_roundByRound() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult alone = run(store, entered(store, 3), () -> false);
      Study shared = entered(store, 3);
      StudyPieces one = new StudyPieces(store, shared, SILENT);
      StudyPieces other = new StudyPieces(store, Study.ofRecord(shared.record()), SILENT);

      assertThat(one.next()).hasToString("[1, 2, 3, 4]");
      other.trial(5);
      assertThat(store.charges(shared.id())).isEmpty();
      for (int trial = 4; trial >= 1; trial--) {
        (trial % 2 == 0 ? one : other).trial(trial);
      }
      assertThat(one.next()).isEqualTo(other.next()).hasToString("[5, 6]");
      other.trial(6);
      assertThat(one.next()).hasToString("[5]");
      one.trial(5);
      assertThat(other.next()).containsExactly(Piece.LAST);

      requireSame(alone, other.last());
      requireWhole(store, shared);
    }
  }

  @Test
  void aScoreThatIsLost_leavesItsCandidateOut_andIsReported() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult whole = run(store, entered(store, 1), () -> false);
      int best = whole.trials().get(4).trial().from().orElseThrow();
      Study study = entered(store, 1);
      // As a process leaves it that dies between the question and the score.
      Charge score = study.plan().scoreCharge(study.plan().trials().get(best - 1)).orElseThrow();
      store.reserve(study.id(), study.plan().filter(), score);
      store.beginRelease(study.id(), score.what());
      StudyResult result = run(store, study, () -> false);

      assertThat(store.trial(study.id(), best).state()).isEqualTo(RunState.UNSCORED);
      assertThat(result.trials().get(4).trial().from())
          .isEqualTo(whole.trials().get(5).trial().from());
      assertThat(result.decision().guards()).extracting(Guard::name).contains("lost-score");
      requireWhole(store, study);
    }
  }
}
