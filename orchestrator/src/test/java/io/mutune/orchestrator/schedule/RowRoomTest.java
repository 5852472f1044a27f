package io.mutune.orchestrator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Piece;
import io.mutune.trainer.data.RowRoom;
import io.mutune.trainer.gradient.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Studies of one worker whose rows fit into memory alone and not together. */
@Timeout(120)
class RowRoomTest {
  /** The longest line of a file takes 5.6 MB, its few rows next to nothing. */
  private static final double ROOM = 9e6;

  private static final String TRIAL = Piece.trial(1).toString();

  @TempDir Path folder;

  @Test
  void theLaterOne_isNotCharged_untilTheOtherHasEnded() throws Exception {
    SmallStudies studies = SmallStudies.in(folder);
    List<String> said = new ArrayList<>();
    try (StudyStore store = Stores.open(folder.resolve("mutune.db"))) {
      PieceRunner runner = new PieceRunner(store, Engine.REFERENCE, said::add, new RowRoom(ROOM));
      StudyQueue queue = new StudyQueue(store, folder);
      List<String> ids = new ArrayList<>();
      for (String name : List.of("first", "second")) {
        Submission submission = SmallStudies.in(store, studies.submission(name, 2, 3));
        ids.add(queue.submit(submission).id());
        runner.run(ids.get(ids.size() - 1), PieceRunner.BEGIN);
      }
      runner.run(ids.get(0), TRIAL);
      assertThat(store.trial(ids.get(0), 1).state()).isEqualTo(RunState.SCORED);

      runner.run(ids.get(1), TRIAL);
      runner.run(ids.get(1), TRIAL);
      StudyRecord waiting = store.study(ids.get(1)).orElseThrow();
      assertThat(waiting.state()).isEqualTo(StudyState.RUNNING);
      assertThat(store.charges(waiting.id())).isEmpty();
      // For a second each time, which may be over by the look.
      for (int tries = 0; runner.next(waiting).contains(Piece.trial(1)); tries++) {
        assertThat(tries).isLessThan(20);
        runner.run(waiting.id(), TRIAL);
      }
      assertThat(said)
          .containsExactly(
              "study " + waiting.id() + ": waits until other studies leave it room in memory");

      runner.keep(Set.of(waiting.id()));
      runner.run(waiting.id(), TRIAL);
      assertThat(store.trial(waiting.id(), 1).state()).isEqualTo(RunState.SCORED);
    }
  }
}
