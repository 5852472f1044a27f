package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.StudyHold;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.trainer.gradient.Engine;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The threads of one process that run the studies submitted to a store. On PostgreSQL any number of
 * workers share the work; a store in a file has one worker at a time.
 */
public final class Worker implements AutoCloseable {
  private static final Set<StudyState> UNDER_WAY = Set.of(StudyState.PLANNED, StudyState.RUNNING);

  /** What the worker of a file holds in place of a study. */
  private static final String WORKER = "worker";

  private final StudyStore store;
  private final PieceRunner runner;
  private final JobScheduler scheduler;
  private final QueuePoller poller;
  private final StudyHold hold;

  private Worker(
      StudyStore store,
      PieceRunner runner,
      JobScheduler scheduler,
      Consumer<String> says,
      StudyHold hold) {
    this.store = store;
    this.runner = runner;
    this.scheduler = scheduler;
    this.poller = new QueuePoller(store, runner, scheduler, says);
    this.hold = hold;
    runner.onChange(poller::wake);
    scheduler.start();
    poller.start();
  }

  /**
   * Starts a worker.
   *
   * @param store stays open when the worker closes
   * @param location of the store
   * @param threads how many pieces run at once
   * @param says takes messages for the operator of this process, a line at a time: nothing private
   *     but errors in a data file's form
   * @throws io.mutune.orchestrator.store.StoreException if the store cannot be used, or is a file
   *     that has another worker
   */
  public static Worker open(
      StudyStore store, StoreLocation location, Engine engine, int threads, Consumer<String> says) {
    PieceRunner runner = new PieceRunner(store, engine, says);
    if (location instanceof StoreLocation.Postgres server) {
      return new Worker(
          store, runner, JobScheduler.shared(server, threads, runner), says, StudyHold.NONE);
    }
    StudyHold hold = held(store);
    try {
      return new Worker(store, runner, JobScheduler.inMemory(threads, runner), says, hold);
    } catch (RuntimeException e) {
      hold.close();
      throw e;
    }
  }

  private static StudyHold held(StudyStore store) {
    try {
      return store.hold(WORKER);
    } catch (StoreException e) {
      throw store.isHeld(WORKER)
          ? new StoreException(
              store.location()
                  + ": another worker works for this file, which has one; several share a"
                  + " PostgreSQL store",
              e)
          : e;
    }
  }

  /**
   * Returns whether another process works for a store; of a server's it is not known, nor where a
   * worker's lock may not be looked at.
   */
  public static Optional<Boolean> isThere(StudyStore store) {
    try {
      return store.isShared() ? Optional.empty() : Optional.of(store.isHeld(WORKER));
    } catch (StoreException e) {
      return Optional.empty();
    }
  }

  /** Polls for work now. */
  public void wake() {
    poller.wake();
  }

  /** Returns whether no submitted study waits or runs at any worker. */
  public boolean isIdle() {
    return store.queued().stream().noneMatch(study -> UNDER_WAY.contains(study.state()));
  }

  /**
   * Stops running pieces at a checkpoint, and returns when they have ended. Unfinished studies go
   * on at other workers, or when the store has a worker again.
   */
  @Override
  public void close() {
    poller.close();
    try {
      runner.close();
      scheduler.close();
    } finally {
      hold.close();
    }
  }
}
