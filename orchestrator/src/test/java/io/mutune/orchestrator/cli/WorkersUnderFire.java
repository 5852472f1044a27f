package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/**
 * Workers in processes of their own on one database, killed at random while they work: whatever
 * falls where, every study ends, with each of its questions charged once.
 */
final class WorkersUnderFire implements AutoCloseable {
  private final SmallSweep sweep;
  private final MortalServer server;
  private final Random random;
  private final List<MutuneProcess> workers = new ArrayList<>();
  private int kills;

  WorkersUnderFire(SmallSweep sweep, MortalServer server, long seed) {
    System.out.println("WorkersUnderFire: seed " + seed);
    this.sweep = sweep;
    this.server = server;
    this.random = new Random(seed);
  }

  StoreLocation store() {
    return server.location();
  }

  void start(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      workers.add(worker());
    }
  }

  private MutuneProcess worker() throws IOException {
    return MutuneProcess.start(sweep.command("worker", "--store", store().toString()));
  }

  /** The id of a study of the sweep that is in the queue now. */
  String submit() {
    CommandRun submitted =
        CommandRun.of(sweep.command("submit", "--store", store().toString())).succeeded();
    String name = submitted.out().strip();
    return name.substring(name.lastIndexOf('-') + 1);
  }

  /** SIGKILL to one of the workers that have begun to work, and another in its place. */
  void killOne() throws IOException, InterruptedException {
    int victim = random.nextInt(workers.size());
    while (workers.get(victim).running() && !workers.get(victim).errors().contains("working for")) {
      Thread.sleep(100);
      victim = random.nextInt(workers.size());
    }
    try (MutuneProcess dead = workers.get(victim)) {
      if (dead.kill()) {
        kills++;
      } else {
        // One that begins while the server is gone says so and ends.
        assertThat(dead.end().status()).as(dead.errors()).isEqualTo(ExitCode.STORAGE);
      }
    }
    workers.set(victim, worker());
  }

  /** Another worker in place of each that has ended, as one does that begins without the server. */
  void replaceEnded() throws IOException, InterruptedException {
    for (int i = 0; i < workers.size(); i++) {
      if (!workers.get(i).running()) {
        try (MutuneProcess ended = workers.get(i)) {
          assertThat(ended.end().failedWith(ExitCode.STORAGE))
              .contains("the database server cannot be reached, or has gone away");
        }
        workers.set(i, worker());
      }
    }
  }

  /** Kills for so long, at random moments. */
  void fire(Duration howLong, Duration between) throws IOException, InterruptedException {
    long end = System.nanoTime() + howLong.toNanos();
    while (System.nanoTime() < end) {
      Thread.sleep(between.toMillis() / 2 + random.nextInt((int) between.toMillis()));
      killOne();
    }
  }

  /** Waits until the only worker is so far. */
  void until(MutuneProcess.Condition condition) throws IOException, SQLException {
    workers.get(0).until(condition);
  }

  /** Asks the only worker to end. */
  CommandRun end() throws IOException, InterruptedException {
    workers.get(0).signal("TERM");
    return workers.get(0).end();
  }

  int kills() {
    return kills;
  }

  /** Waits for a study's end, and looks at all that it left. */
  void requireWhole(String id, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    try (StudyStore store = Stores.open(store(), sweep.runs())) {
      while (state(store, id) != StudyState.FINISHED) {
        StudyRecord study = store.study(id).orElseThrow();
        assertThat(study.state())
            .as("%s: %s", study.reason(), errors())
            .isIn(StudyState.PLANNED, StudyState.RUNNING, StudyState.FINISHED);
        assertThat(System.nanoTime()).as("still running").isLessThan(end);
        Thread.sleep(200);
      }
      requireOnce(store, Study.ofRecord(store.study(id).orElseThrow()));
    }
    CommandRun audit =
        CommandRun.of(sweep.command("audit", id, "--store", store().toString())).succeeded();
    assertThat(audit.out()).contains("Everything agrees");
  }

  boolean isFinished(String id) {
    try (StudyStore store = Stores.open(store(), sweep.runs())) {
      return state(store, id) == StudyState.FINISHED;
    }
  }

  private static StudyState state(StudyStore store, String id) {
    return store.study(id).map(StudyRecord::state).orElseThrow();
  }

  /** Every question once in the ledger, and no step of any begun twice or beyond its charge. */
  private static void requireOnce(StudyStore store, Study study) {
    List<String> charged =
        store.charges(study.id()).stream().map(charge -> charge.charge().what()).toList();
    List<String> questions = new ArrayList<>(List.of("final"));
    int trials = study.plan().trials().size();
    int lost = 0;
    int starts = 0;
    int unscored = 0;
    for (int number = 1; number <= trials; number++) {
      questions.add("trial " + number);
      questions.add("score " + number);
    }
    assertThat(charged).containsExactlyInAnyOrderElementsOf(questions);
    for (int number = 0; number <= trials; number++) {
      RunRecord run = store.trial(study.id(), number);
      StoredCharge charge =
          store.charge(study.id(), number == 0 ? "final" : "trial " + number).orElseThrow();
      int steps =
          Objects.requireNonNull(charge.charge().mechanism().parameters().get("count")).intValue();
      assertThat(run.stepsBegun()).as("run %d", number).isEqualTo(steps);
      assertThat(run.checkpoint().orElseThrow().asked()).isEqualTo(steps);
      assertThat(run.state())
          .isIn(
              number == 0
                  ? List.of(RunState.TRAINED)
                  : List.of(RunState.SCORED, RunState.UNSCORED));
      lost += run.stepsLost();
      starts += run.starts();
      unscored += run.state() == RunState.UNSCORED ? 1 : 0;
    }
    System.out.printf(
        "WorkersUnderFire: study %s: %d trials, %d charges, %d starts, %d steps lost, %d scores"
            + " lost%n",
        study.id(), trials, charged.size(), starts, lost, unscored);
  }

  /** What the workers that run now have said. */
  String errors() {
    StringBuilder errors = new StringBuilder();
    for (MutuneProcess worker : workers) {
      errors.append("worker:\n").append(worker.errors());
    }
    return errors.toString();
  }

  @Override
  public void close() throws IOException {
    for (MutuneProcess worker : workers) {
      worker.close();
    }
  }
}
