package io.mutune.orchestrator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Piece;
import io.mutune.testing.Effort;
import io.mutune.trainer.gradient.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker stands still before any one of its questions to the store, is taken for dead, and wakes
 * when its successor is done: at every one of them.
 */
@Timeout(300)
class SlowWorkerTest {
  @TempDir Path folder;
  private SmallStudies studies;

  @BeforeEach
  void writeRows() throws Exception {
    studies = SmallStudies.in(folder);
  }

  @Test
  void inATrial_itsSuccessorEndsItAndWhatItSaysLateIsRefused() throws Exception {
    int tried = throughAll(studies.submission("trial", 2, 3), Piece.trial(1), StudyState.FINISHED);
    assertThat(tried).isGreaterThan(15);
  }

  @Test
  void inTheFinalRun_itsSuccessorEndsTheStudy() throws Exception {
    int tried = throughAll(studies.submission("last", 1, 3), Piece.LAST, StudyState.FINISHED);
    assertThat(tried).isGreaterThan(15);
  }

  @Test
  void inThePrivateMean_itIsReleasedOnceOrGivenUpForAll() throws Exception {
    int tried = throughAll(studies.withMean("mean", 1, 3), Piece.MEAN, StudyState.FINISHED);
    assertThat(tried).isGreaterThan(4);
  }

  /** Pause and resume come within a step: the piece is stopped, and has to run again. */
  @Test
  void aStudyThatGoesOn_beforeItsPieceHasStopped_isFinished() throws Exception {
    Path runs = Files.createDirectories(folder.resolve("runs"));
    try (StudyStore store = Stores.open(runs.resolve("mutune.db"))) {
      Submission submission = studies.submission("paused", 1, 20);
      String id = new StudyQueue(store, runs).submit(SmallStudies.in(store, submission)).id();
      new PieceRunner(store, Engine.REFERENCE, line -> {}).run(id, PieceRunner.BEGIN);
      SlowStore slow = new SlowStore(store, 12);
      PieceRunner runner = new PieceRunner(slow.seen(), Engine.REFERENCE, line -> {});
      Thread piece = slow.start(() -> runner.run(id, Piece.trial(1).toString()));
      runner.keep(Set.of());
      runner.keep(Set.of(id));
      slow.goOn();
      piece.join();
      assertThat(store.trial(id, 1).state()).as("it was stopped").isNotEqualTo(RunState.SCORED);
      for (int i = 0; i < 10 && !next(runner, store, id).isEmpty(); i++) {
        runner.run(id, next(runner, store, id).get(0).toString());
      }
      assertThat(store.study(id).map(StudyRecord::state)).contains(StudyState.FINISHED);
    }
  }

  /** The last of the questions that it stood still before. */
  private int throughAll(Submission submission, Piece piece, StudyState end) throws Exception {
    int every = Effort.of(3, 1);
    int stop = 1;
    while (takenOver(submission, piece, end, stop)) {
      stop += every;
    }
    return stop - every;
  }

  /** Whether the piece has so many questions. */
  private boolean takenOver(Submission submission, Piece piece, StudyState end, int stop)
      throws Exception {
    Path runs = Files.createDirectories(folder.resolve("runs-" + piece + "-" + stop));
    List<String> said = Collections.synchronizedList(new ArrayList<>());
    try (StudyStore store = Stores.open(runs.resolve("mutune.db"))) {
      PieceRunner successor = new PieceRunner(store, Engine.REFERENCE, said::add);
      String id = new StudyQueue(store, runs).submit(SmallStudies.in(store, submission)).id();
      successor.run(id, PieceRunner.BEGIN);
      while (!next(successor, store, id).contains(piece)) {
        successor.run(id, next(successor, store, id).get(0).toString());
      }
      SlowStore slow = new SlowStore(store, stop);
      PieceRunner old = new PieceRunner(slow.seen(), Engine.REFERENCE, line -> {});
      Thread asleep = slow.start(() -> old.run(id, piece.toString()));
      successor.run(id, piece.toString());
      List<RunRecord> before = runs(store, id);
      slow.goOn();
      asleep.join();
      requireSame(before, runs(store, id), piece);
      while (store.study(id).orElseThrow().state() == StudyState.RUNNING) {
        successor.run(id, next(successor, store, id).get(0).toString());
      }
      assertThat(store.study(id).map(StudyRecord::state))
          .as("stopped before question %d: %s", stop, said)
          .contains(end);
      requireOnce(store, id);
      return slow.stoodStill();
    }
  }

  private static List<Piece> next(PieceRunner runner, StudyStore store, String id) {
    StudyRecord study = store.study(id).orElseThrow();
    return study.state() == StudyState.RUNNING ? runner.next(study) : List.of();
  }

  private static List<RunRecord> runs(StudyStore store, String id) {
    return List.of(store.trial(id, 0), store.trial(id, 1));
  }

  /** What the successor released stays what is released. */
  private static void requireSame(List<RunRecord> before, List<RunRecord> after, Piece piece) {
    int run = piece.equals(Piece.LAST) ? 0 : 1;
    if (before.get(run).state() == RunState.PLANNED) {
      return;
    }
    assertThat(after.get(run).score()).isEqualTo(before.get(run).score());
    assertThat(after.get(run).state()).isEqualTo(before.get(run).state());
    assertThat(after.get(run).checkpoint().orElseThrow().weights())
        .isEqualTo(before.get(run).checkpoint().orElseThrow().weights());
  }

  /** Each question has one charge, and no run has begun more steps than it has. */
  private static void requireOnce(StudyStore store, String id) {
    List<String> charges =
        store.charges(id).stream().map(charge -> charge.charge().what()).toList();
    assertThat(charges).doesNotHaveDuplicates().contains("trial 1", "score 1", "final");
    for (RunRecord run : runs(store, id)) {
      assertThat(run.stepsBegun()).isEqualTo(3);
    }
  }
}
