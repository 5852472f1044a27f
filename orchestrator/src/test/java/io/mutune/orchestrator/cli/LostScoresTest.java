package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TestStores;
import io.mutune.orchestrator.study.Study;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scores that a failure took: asked for later if they were not, and never twice. */
class LostScoresTest {
  @TempDir Path folder;

  /** How the first trial stands once a study went on that failed at some writing of its score. */
  private RunState after(String failing, Predicate<Object[]> which) throws IOException {
    Study study = StudiesHere.of(SmallSweep.in(folder).steps(5).trials(1).seed(3));
    List<String> begun = new ArrayList<>();
    boolean[] failed = {false};
    try (StudyStore store = TestStores.inMemory()) {
      StudyStore faulty =
          StoreDecorator.of(
              store,
              (operation, arguments, inner) -> {
                if (operation.equals(failing) && which.test(arguments) && !failed[0]) {
                  failed[0] = true;
                  throw new StoreException("the disk is full");
                }
                if (operation.equals("beginRelease")) {
                  begun.add((String) arguments[1]);
                }
                return inner.run(arguments);
              });
      study.enter(faulty);
      assertThatThrownBy(() -> StudiesHere.run(faulty, study, () -> false))
          .hasMessage("the disk is full");
      assertThat(store.charge(study.id(), "score 1")).isPresent();
      StudiesHere.run(faulty, study, () -> false);
      assertThat(begun).containsExactly("score 1");
      return store.trial(study.id(), 1).state();
    }
  }

  /** So is one whose rows cannot be read: nothing was asked. */
  @Test
  void aScoreThatWasChargedAlone_isAskedForByTheNextStart() throws IOException {
    assertThat(after("beginRelease", arguments -> true)).isEqualTo(RunState.SCORED);
  }

  @Test
  void aScoreThatWasDrawnAndNotKept_isLost() throws IOException {
    assertThat(after("release", arguments -> arguments.length == 3)).isEqualTo(RunState.UNSCORED);
  }

  @Test
  void aScoreThatWasKept_isThere() throws IOException {
    assertThat(after("score", arguments -> true)).isEqualTo(RunState.SCORED);
  }
}
