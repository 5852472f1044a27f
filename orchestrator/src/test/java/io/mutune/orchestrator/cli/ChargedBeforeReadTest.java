package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Spending;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.data.UnreadableRowsException;
import io.mutune.trainer.gradient.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rule 1: what may read a private row is on disk before it does. */
@Timeout(120)
class ChargedBeforeReadTest {
  @TempDir Path folder;

  /** The file goes away as soon as its first charge is committed: nobody may have opened it. */
  @Test
  void thePrivateFile_isOpenedOnceItsChargeIsCommitted() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(5);
    sweep.command("run");
    Path file = folder.resolve("sweep.yaml");
    String text = Files.readString(file);
    SweepContext context = SweepContext.ofFile(file);
    StudyPlan plan = StudyPlan.of(SweepReader.read("sweep.yaml", text, context));
    try (StudyStore store = Stores.open(sweep.store());
        StoreView view = StoreView.of(sweep.store())) {
      Study study = Study.create(plan, text, context, sweep.runs());
      store.create(study.record(), plan.trials().size(), AccountClaim.NONE);
      StudyListener removing =
          new StudyListener() {
            @Override
            public void charged(String what, Spending spending) {
              assertThat(look(() -> view.charges())).containsExactly("trial 1");
              assertThat(sweep.privateRows().toFile().delete()).isTrue();
            }
          };
      StudyRunner runner =
          new StudyRunner(
              store, study, new RunEnvironment(Engine.REFERENCE, removing, () -> false));
      assertThatThrownBy(runner::run).isInstanceOf(UnreadableRowsException.class);
      assertThat(view.charges()).containsExactly("trial 1");
      assertThat(view.stepsBegun()).isZero();
    }
  }

  /** Told to stop by the last step of a trial, whose private score is the next question. */
  @Test
  void aStudyThatWasToldToStop_isChargedNoFurtherQuestion() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(5).privateValidation();
    Path file = Path.of(sweep.command("run")[1]);
    String text = Files.readString(file);
    SweepContext context = SweepContext.ofFile(file);
    StudyPlan plan = StudyPlan.of(SweepReader.read("sweep.yaml", text, context));
    AtomicBoolean stopped = new AtomicBoolean();
    StudyListener stopping =
        new StudyListener() {
          @Override
          public void step(String run, int done, int all) {
            stopped.compareAndSet(false, done == all);
          }
        };
    try (StudyStore store = Stores.open(sweep.store());
        StoreView view = StoreView.of(sweep.store())) {
      Study study = Study.create(plan, text, context, sweep.runs());
      store.create(study.record(), plan.trials().size(), AccountClaim.NONE);
      RunEnvironment environment = new RunEnvironment(Engine.REFERENCE, stopping, stopped::get);

      assertThatThrownBy(new StudyRunner(store, study, environment)::run)
          .isInstanceOf(StudyInterruptedException.class);
      assertThat(view.charges()).containsExactly("trial 1");

      new StudyRunner(
              store, study, new RunEnvironment(Engine.REFERENCE, StudyListener.SILENT, () -> false))
          .run();
      assertThat(view.charges()).contains("score 1");
      assertThat(view.number("SELECT count(*) FROM trial WHERE state = 'UNSCORED'")).isZero();
    }
  }

  @Test
  void noCommandThatOnlyPlansOrLooks_opensThePrivateFile() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(5);
    CommandRun.run(sweep).succeeded();
    Pipe.replace(sweep.privateRows()); // an open would wait for ever
    for (String command : List.of("audit", "status", "list", "resume")) {
      CommandRun.of(sweep.command(command));
    }
    CommandRun.of("plan", folder.resolve("sweep.yaml").toString()).succeeded();
    CommandRun.of("validate", folder.resolve("sweep.yaml").toString()).succeeded();
  }

  @Test
  void everyStep_isCommittedAsBegunBeforeItIsDone_andEveryChargeBeforeItsSteps() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(100);
    sweep.command("run");
    Path file = folder.resolve("sweep.yaml");
    String text = Files.readString(file);
    SweepContext context = SweepContext.ofFile(file);
    StudyPlan plan = StudyPlan.of(SweepReader.read("sweep.yaml", text, context));
    AtomicInteger steps = new AtomicInteger();
    AtomicInteger charges = new AtomicInteger();
    try (StudyStore store = Stores.open(sweep.store());
        StoreView view = StoreView.of(sweep.store())) {
      Study study = Study.create(plan, text, context, sweep.runs());
      store.create(study.record(), plan.trials().size(), AccountClaim.NONE);
      StudyListener watching =
          new StudyListener() {
            @Override
            public void charged(String what, Spending spending) {
              assertThat(look(() -> view.charges())).contains(what);
              charges.incrementAndGet();
            }

            @Override
            public void step(String run, int done, int all) {
              String number = run.equals("final") ? "0" : run.substring("trial ".length());
              String begun = "SELECT steps_begun FROM trial WHERE number = " + number;
              assertThat(look(() -> view.number(begun))).isGreaterThanOrEqualTo(done);
              assertThat(look(() -> view.charges())).contains(run);
              steps.incrementAndGet();
            }
          };
      new StudyRunner(store, study, new RunEnvironment(Engine.REFERENCE, watching, () -> false))
          .run();
    }
    assertThat(steps).hasValue(400);
    assertThat(charges).hasValue(4);
  }

  private interface Look<T> {
    T at() throws SQLException;
  }

  private static <T> T look(Look<T> look) {
    try {
      return look.at();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
