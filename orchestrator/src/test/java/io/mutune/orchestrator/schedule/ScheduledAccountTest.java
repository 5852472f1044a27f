package io.mutune.orchestrator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.AccountAudit;
import io.mutune.orchestrator.study.Piece;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.sweep.LifetimeBudget;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.gradient.Engine;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sweep on a schedule and on an account, from its first study to the one that the account
 * refuses. The test takes the clock's place: it runs each job when the one before has ended.
 */
class ScheduledAccountTest {
  /** Room for three studies and a half. */
  private static final double SQUARES = 3.5;

  @TempDir Path folder;
  private final List<String> said = new ArrayList<>();
  private StudyStore store;
  private StudyQueue queue;
  private PieceRunner runner;
  private AccountRecord account;
  private Submission sweep;

  @BeforeEach
  void open() throws Exception {
    store = Stores.open(folder.resolve("mutune.db"));
    queue = new StudyQueue(store, folder);
    runner = new PieceRunner(store, Engine.REFERENCE, said::add);
    Submission plain = SmallStudies.in(folder).submission("monthly", 1, 3, "schedule: 0 0 3 1 * ?");
    sweep =
        new Submission(
            plain.file(),
            plain
                .text()
                .replace("delta: 1.0e-5}", "delta: 1.0e-5, account: rows}")
                .replace("run: {noise: {seed: 7}}\n", "")
                .replace(", declared: simulated", ""),
            plain.context());
    SweepDefinition inPlace = SweepReader.read("monthly.yaml", sweep.text(), sweep.context());
    double mu = Math.sqrt(SQUARES) * inPlace.budget().cap().mu().value();
    account =
        AccountRecord.make("rows", new LifetimeBudget(mu, null, null, null), "add-remove", null);
    store.createAccount(account);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private StudyRecord newest() {
    List<StudyRecord> studies = store.studies();
    return studies.get(studies.size() - 1);
  }

  private void runToItsEnd(String id) {
    runner.run(id, PieceRunner.BEGIN);
    for (StudyRecord study = newest();
        study.state() == StudyState.RUNNING;
        study = store.study(id).orElseThrow()) {
      for (Piece piece : runner.next(study)) {
        runner.run(id, piece.toString());
      }
    }
  }

  private Set<String> enqueue(String id) {
    try (JobScheduler scheduler = JobScheduler.inMemory(1, runner)) {
      runner.recurrence().enqueue(scheduler);
      return scheduler.jobs(id);
    }
  }

  @Test
  void aScheduledSweep_runsAgainUntilItsAccountRefuses_andTheLastSaysWhy() throws Exception {
    String id = queue.submit(SmallStudies.in(store, sweep)).id();
    List<String> chain = new ArrayList<>();
    while (!chain.contains(id)) {
      chain.add(id);
      runToItsEnd(id);
      if (store.study(id).orElseThrow().state() == StudyState.FINISHED) {
        assertThat(enqueue(id)).containsExactly(Recurrence.AGAIN);
      }
      runner.run(id, Recurrence.AGAIN);
      id = newest().id();
    }

    assertThat(store.studies())
        .extracting(StudyRecord::state)
        .containsExactly(
            StudyState.FINISHED, StudyState.FINISHED, StudyState.FINISHED, StudyState.REFUSED);
    String reason = newest().reason().orElseThrow();
    assertThat(reason)
        .startsWith("over the account 'rows': asked for epsilon ")
        .contains(" spent or reserved and epsilon ");
    assertThat(said).contains("the schedule of " + chain.get(2) + " ends: " + reason);
    assertThat(enqueue(newest().id())).isEmpty();
    for (String earlier : chain) {
      runner.run(earlier, Recurrence.AGAIN);
    }
    assertThat(store.studies()).hasSize(4);
    assertThat(AccountAudit.of(store, account).problems()).isEmpty();
    GaussianDp charged =
        GaussianDp.compose(
            store.studies().stream()
                .flatMap(study -> store.charges(study.id()).stream())
                .map(charge -> GaussianDp.of(charge.charge().mechanism().mu().orElseThrow()))
                .toList());
    assertThat(charged.mu().value()).isLessThan(account.cap().mu().value());
  }

  @Test
  void anAppointment_isTheFirstAfterTheStudyBeforeWasSubmitted() throws Exception {
    StudyRecord first = queue.submit(SmallStudies.in(store, sweep));
    Instant time =
        Study.sweepOf(first).schedule().orElseThrow().after(first.created()).orElseThrow();
    assertThat(time).isAfter(first.created());
    assertThat(enqueue(first.id())).as("while it is under way").isEmpty();
    runToItsEnd(first.id());
    assertThat(enqueue(first.id())).containsExactly(Recurrence.AGAIN);
  }

  @Test
  void whoeverCancelsAFinishedStudy_endsItsSchedule() throws Exception {
    StudyRecord first = queue.submit(SmallStudies.in(store, sweep));
    runToItsEnd(first.id());
    StudyRecord next = queue.cancel(first.id(), "no  more\nof it");
    assertThat(next.reason()).contains("no more of it");
    assertThat(store.studies())
        .extracting(StudyRecord::state)
        .containsExactly(StudyState.FINISHED, StudyState.CANCELLED);
    assertThat(StudyAudit.of(store, Study.ofRecord(next), Optional.empty()).problems()).isEmpty();
    assertThat(queue.cancel(next.id(), "")).isEqualTo(next);
    assertThat(queue.cancel(first.id(), "")).isEqualTo(next);
    assertThat(enqueue(first.id())).isEmpty();
    assertThat(enqueue(next.id())).isEmpty();
    assertThat(AccountAudit.of(store, account).problems()).isEmpty();
  }
}
