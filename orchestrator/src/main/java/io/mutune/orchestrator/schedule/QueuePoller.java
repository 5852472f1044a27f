package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Piece;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.commons.lang3.concurrent.BasicThreadFactory;

/**
 * Polls the store: it adds a job for every piece that is to be run, and stops the pieces of studies
 * that are not to go on. Each worker has a poller; several may do the same.
 */
final class QueuePoller implements AutoCloseable {
  private static final long SECONDS_BETWEEN = 1;

  /** Schedules are read from all studies, so more rarely. */
  private static final int POLLS_PER_SCHEDULE = 5;

  private final StudyStore store;
  private final PieceRunner runner;
  private final JobScheduler scheduler;
  private final Consumer<String> says;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          BasicThreadFactory.builder().namingPattern("poller").daemon(true).build());

  /** The last message about each study that cannot be read. */
  private final Map<String, String> troubles = new HashMap<>();

  private int polls;
  private boolean storeIsGone;

  QueuePoller(StudyStore store, PieceRunner runner, JobScheduler scheduler, Consumer<String> says) {
    this.store = store;
    this.runner = runner;
    this.scheduler = scheduler;
    this.says = says;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // poll() catches whatever is thrown in it
  void start() {
    thread.scheduleWithFixedDelay(this::poll, 0, SECONDS_BETWEEN, TimeUnit.SECONDS);
  }

  /** Polls now. */
  void wake() {
    try {
      thread.execute(this::poll);
    } catch (RejectedExecutionException e) {
      // The poller is closed.
    }
  }

  /** Polls, and reports a failure of the store once. */
  private void poll() {
    try {
      enqueue();
      if (storeIsGone) {
        storeIsGone = false;
        says.accept("the store is back; going on");
      }
    } catch (StoreException e) {
      if (!storeIsGone) {
        storeIsGone = true;
        says.accept(e.getMessage() + "; nothing is lost, and all goes on when it is back");
      }
    } catch (RuntimeException | Error e) {
      // An executor would keep the exception to itself, and never poll again.
      says.accept("the poller fails: " + e);
    }
  }

  private void enqueue() {
    Set<String> running = new HashSet<>();
    for (StudyRecord study : store.queued()) {
      if (study.state() == StudyState.RUNNING) {
        running.add(study.id());
      }
      try {
        enqueue(study);
        troubles.remove(study.id());
      } catch (StoreException e) {
        if (JobScheduler.isOfSchedule(e)) {
          throw e;
        }
        leave(study, String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        leave(study, e.toString());
      }
    }
    runner.keep(running);
    if (polls++ % POLLS_PER_SCHEDULE == 0) {
      runner.recurrence().enqueue(scheduler);
    }
  }

  private void enqueue(StudyRecord study) {
    if (study.state() == StudyState.PLANNED) {
      if (!scheduler.jobs(study.id()).contains(PieceRunner.BEGIN)) {
        scheduler.put(study, PieceRunner.BEGIN, 0);
      }
    } else if (study.state() == StudyState.RUNNING) {
      enqueuePieces(study);
    }
  }

  /** A study that cannot be read does not stop the others. */
  private void leave(StudyRecord study, String trouble) {
    store.study(study.id()); // throws if the store fails
    if (!trouble.equals(troubles.put(study.id(), trouble))) {
      says.accept("study " + study.id() + " is left alone: " + trouble);
    }
  }

  private void enqueuePieces(StudyRecord study) {
    Set<String> jobs = scheduler.jobs(study.id());
    for (Piece piece : runner.next(study)) {
      if (!jobs.contains(piece.toString())) {
        scheduler.put(study, piece.toString(), piece.number());
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
