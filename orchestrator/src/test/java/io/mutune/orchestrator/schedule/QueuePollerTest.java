package io.mutune.orchestrator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.gradient.Engine;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class QueuePollerTest {
  @TempDir Path folder;

  /** As a version leaves one that planned fewer trials for the same sweep. */
  @Test
  void aStudyThatMakesNoSense_keepsNoOtherFromItsEnd() throws Exception {
    Path file = folder.resolve("mutune.db");
    List<String> said = new CopyOnWriteArrayList<>();
    Submission sweep = SmallStudies.in(folder).submission("small", 2, 3);
    try (StudyStore store = Stores.open(file)) {
      StudyQueue queue = new StudyQueue(store, folder);
      StudyPlan plan = StudyPlan.of(SweepReader.read("small.yaml", sweep.text(), sweep.context()));
      Study made = Study.create(plan, sweep.text(), sweep.context(), folder);
      StudyRecord senseless = made.record().inQueue().with(StudyState.RUNNING, "");
      store.create(senseless, 0, AccountClaim.NONE);
      String good = queue.submit(SmallStudies.in(store, sweep)).id();
      try (Worker worker =
          Worker.open(store, new StoreLocation.File(file), Engine.REFERENCE, 1, said::add)) {
        while (store.study(good).orElseThrow().state() != StudyState.FINISHED) {
          worker.wake();
          Thread.sleep(20);
        }
      }
      assertThat(said)
          .filteredOn(line -> line.startsWith("study " + senseless.id() + " is left alone"))
          .hasSize(1);
    }
  }

  /** At once it would fail again, and fill the log of whoever has a full disk. */
  @Test
  void aStudyThatCannotBeBegun_isTriedAgainByTheNextLook() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    List<String> changes = new CopyOnWriteArrayList<>();
    try (StudyStore store = Stores.open(folder.resolve("mutune.db"))) {
      Submission sweep = SmallStudies.in(folder).submission("small", 2, 3);
      String study = new StudyQueue(store, folder).submit(SmallStudies.in(store, sweep)).id();
      StudyStore full =
          StoreDecorator.of(
              store,
              (operation, arguments, inner) -> {
                if (operation.equals("move")) {
                  throw new StoreException("the disk is full");
                }
                return inner.run(arguments);
              });
      for (StudyStore each : List.of(full, store)) {
        PieceRunner runner = new PieceRunner(each, Engine.REFERENCE, said::add);
        runner.onChange(() -> changes.add(each == full ? "full" : "not"));
        runner.run(study, PieceRunner.BEGIN);
        runner.run(study, PieceRunner.BEGIN);
      }
      assertThat(store.study(study).orElseThrow().state()).isEqualTo(StudyState.RUNNING);
      assertThat(said).containsExactly("study " + study + ": the disk is full");
      assertThat(changes).containsExactly("not", "not");
    }
  }
}
