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

/**
 * Keeps the board as the store wants it: every piece that is to be run has its job, and what runs
 * of a study that is not to go on stops. Each worker has one; that several do the same does no
 * harm.
 */
final class Foreman implements AutoCloseable {
  private static final long SECONDS_BETWEEN = 1;

  /** Schedules are read from all studies, and are in no hurry. */
  private static final int LOOKS_A_SCHEDULE = 5;

  private final StudyStore store;
  private final Bench bench;
  private final JobBoard board;
  private final Consumer<String> says;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread foreman = new Thread(work, "foreman");
            foreman.setDaemon(true);
            return foreman;
          });

  /** What was said last of each study that cannot be looked at. */
  private final Map<String, String> troubles = new HashMap<>();

  private int looks;
  private boolean storeIsGone;

  Foreman(StudyStore store, Bench bench, JobBoard board, Consumer<String> says) {
    this.store = store;
    this.bench = bench;
    this.board = board;
    this.says = says;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // look() catches whatever is thrown in it
  void start() {
    thread.scheduleWithFixedDelay(this::look, 0, SECONDS_BETWEEN, TimeUnit.SECONDS);
  }

  /** Looks now, and not only when it is time. */
  void ring() {
    try {
      thread.execute(this::look);
    } catch (RejectedExecutionException e) {
      // Closed: there is nothing more to put up.
    }
  }

  /** A failure is told once; it is the store that goes away, and comes back. */
  private void look() {
    try {
      putUp();
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
      // An executor would keep it to itself, and never look again.
      says.accept("the foreman fails: " + e);
    }
  }

  private void putUp() {
    Set<String> running = new HashSet<>();
    for (StudyRecord study : store.queued()) {
      if (study.state() == StudyState.RUNNING) {
        running.add(study.id());
      }
      try {
        putUp(study);
        troubles.remove(study.id());
      } catch (RuntimeException e) {
        leave(study, e);
      }
    }
    bench.keep(running);
    if (looks++ % LOOKS_A_SCHEDULE == 0) {
      bench.recurrence().putUp(board);
    }
  }

  private void putUp(StudyRecord study) {
    if (study.state() == StudyState.PLANNED) {
      if (!board.jobs(study.id()).contains(Bench.BEGIN)) {
        board.put(study, Bench.BEGIN, 0);
      }
    } else if (study.state() == StudyState.RUNNING) {
      putUpPieces(study);
    }
  }

  /** One study that makes no sense keeps no other from going on. */
  private void leave(StudyRecord study, RuntimeException e) {
    store.study(study.id()); // throws if it is the store that makes trouble
    String trouble = e instanceof StoreException ? String.valueOf(e.getMessage()) : e.toString();
    if (!trouble.equals(troubles.put(study.id(), trouble))) {
      says.accept("study " + study.id() + " is left alone: " + trouble);
    }
  }

  private void putUpPieces(StudyRecord study) {
    Set<String> jobs = board.jobs(study.id());
    for (Piece piece : bench.next(study)) {
      if (!jobs.contains(piece.toString())) {
        board.put(study, piece.toString(), piece.number());
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
