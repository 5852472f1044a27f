package io.mutune.orchestrator.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.trainer.gradient.Engine;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StudyQueueTest {
  @TempDir Path folder;

  @Test
  void aSubmittedStudy_isThereAtOnceAndFinishesLater() throws Exception {
    Path runs = folder.resolve("runs");
    StoreLocation location = new StoreLocation.File(runs.resolve("mutune.db"));
    try (StudyStore store = Stores.open(location, runs);
        StudyQueue queue =
            new StudyQueue(
                store,
                runs,
                Optional.of(Worker.open(store, location, Engine.standard(), 1, line -> {})))) {
      StudyRecord submitted =
          queue.submit(SmallStudies.in(store, SmallStudies.in(folder).submission("first", 3, 20)));
      while (store.study(submitted.id()).orElseThrow().state() != StudyState.FINISHED) {
        Thread.sleep(20);
      }
      assertThat(submitted.output().resolve("statement.json")).exists();
      assertThatThrownBy(() -> queue.pause(submitted.id()))
          .isInstanceOf(StudyStateException.class)
          .hasMessageContaining("finished");
      assertThatThrownBy(() -> queue.pause("00000000")).isInstanceOf(UnknownStudyException.class);
    }
  }
}
