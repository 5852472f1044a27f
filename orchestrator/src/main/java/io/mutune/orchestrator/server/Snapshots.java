package io.mutune.orchestrator.server;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.StatusDocument;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.schedule.UnknownStudyException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.commons.io.function.IOBiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cache of the states of studies, which first refreshes and then expires. A caller gets a recent
 * state at once, without waiting for the store or a core, while another thread refreshes it. Plans
 * are cached too: they follow from the definition and may take seconds.
 */
final class Snapshots {
  /** Refresh: a state that is younger is returned as it is. */
  static final Duration FRESH = Duration.ofMillis(250);

  /**
   * Expire: a state that is younger is returned while another thread refreshes it; for an older one
   * the caller waits.
   */
  static final Duration USABLE = Duration.ofSeconds(1);

  /**
   * The callers that wait for a slow refresh at once. One plan may take a minute, and those of all
   * its study's readers would be all threads of the server.
   */
  private static final int MOST_WAITING = 16;

  private static final int MOST_PLANS = 256;

  private final StudyStore store;
  private final LongSupplier nanoTime;
  private final IOBiFunction<String, StudyRecord, Study> planner;
  private final Executor lookers;
  private final Duration firstPatience;
  private final Duration patience;
  private final Semaphore waiting = new Semaphore(MOST_WAITING);
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final long mostCharges;
  private final Map<String, StudyPlan> plans = new LinkedHashMap<>(16, 0.75f, true);
  private long charges;

  /**
   * The state of a study at one moment.
   *
   * @param epsilonSpent cached, since it may take tenths of a second to compute
   */
  record Snapshot(
      StudyRecord record, StatusDocument status, Epsilon epsilonSpent, String json, long nanos) {}

  /** A study of another version of Mutune that this one cannot plan. */
  static final class UnplannedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnplannedException(Throwable cause) {
      super(cause);
    }
  }

  /** A refresh that is under way, shared by all callers that wait for it. */
  private record Look(CompletableFuture<Snapshot> found, long begun) {}

  /** The cached state of a study, and its refresh. */
  private static final class Entry {
    private @Nullable Snapshot last;
    private @Nullable Look underWay;
  }

  /**
   * @param planner plans a stored study for a caller, within the limit of plans
   * @param lookers the threads of refreshes; few, since each queries the store
   * @param firstPatience the longest wait for the first state of a study, which may need a plan
   * @param patience the longest wait for a refresh, from its begin
   * @param mostCharges of all plans that are kept, one of more aside
   */
  Snapshots(
      StudyStore store,
      LongSupplier nanoTime,
      IOBiFunction<String, StudyRecord, Study> planner,
      Executor lookers,
      Duration firstPatience,
      Duration patience,
      long mostCharges) {
    this.mostCharges = mostCharges;
    this.store = store;
    this.nanoTime = nanoTime;
    this.planner = planner;
    this.lookers = lookers;
    this.firstPatience = firstPatience;
    this.patience = patience;
  }

  /**
   * Returns the state of a study.
   *
   * @throws UnknownStudyException if there is none of this id
   * @throws UnplannedException if this version cannot plan it
   * @throws HttpProblem if the store does not answer in time, or too many wait for a slow answer
   */
  Snapshot of(String id) {
    if (entries.size() >= MOST_PLANS && !entries.containsKey(id)) {
      entries.clear();
    }
    Entry entry = entries.computeIfAbsent(id, key -> new Entry());
    Look look;
    Duration longest;
    synchronized (entry) {
      Snapshot last = entry.last;
      long now = nanoTime.getAsLong();
      long age = last == null ? 0 : now - last.nanos();
      if (last != null && age <= FRESH.toNanos()) {
        return last;
      }
      look = entry.underWay == null ? begin(id, entry, now) : entry.underWay;
      if (last != null && age <= USABLE.toNanos() && !look.found().isDone()) {
        return last;
      }
      longest = last == null ? firstPatience : patience;
    }
    return await(look, longest);
  }

  /** Returns what {@link #of} does, or nothing for a study that cannot be planned. */
  Optional<Snapshot> ifPlanned(String id) {
    try {
      return Optional.of(of(id));
    } catch (UnplannedException e) {
      return Optional.empty();
    }
  }

  private Look begin(String id, Entry entry, long now) {
    Look look = new Look(new CompletableFuture<>(), now);
    entry.underWay = look;
    try {
      lookers.execute(() -> look(id, entry, look));
    } catch (RejectedExecutionException e) {
      entry.underWay = null;
      look.found().completeExceptionally(new HttpProblem(503, "the server is stopping"));
    }
    return look;
  }

  private void look(String id, Entry entry, Look look) {
    Snapshot last;
    synchronized (entry) {
      last = entry.last;
    }
    try {
      Snapshot found = look(id, last);
      synchronized (entry) {
        entry.last = found;
        entry.underWay = null;
      }
      look.found().complete(found);
    } catch (RuntimeException | Error e) {
      synchronized (entry) {
        entry.underWay = null;
      }
      if (last == null) {
        entries.remove(id, entry);
      }
      look.found().completeExceptionally(e);
    }
  }

  private Snapshot look(String id, @Nullable Snapshot last) {
    long now = nanoTime.getAsLong();
    StudyRecord record = find(id);
    StatusDocument status = StatusDocument.of(store, study(PlanningLimit.SERVER, record));
    Epsilon spent =
        last != null && last.status().spending().charges().equals(status.spending().charges())
            ? last.epsilonSpent()
            : status.spending().epsilonSpent();
    String state = Study.stateOf(store, record);
    ObjectNode json = status.json(state, spent);
    putReason(json, record);
    putSecondsLeft(json, state, status);
    // Most sweeps do not contain the word, and need no look at all the others.
    if (record.state() == StudyState.FINISHED && record.definition().contains("schedule")) {
      putNext(json, record, StudyQueue.scheduled(store));
    }
    return new Snapshot(record, status, spent, Json.write(json), now);
  }

  private Snapshot await(Look look, Duration longest) {
    long left = Math.max(0, longest.toNanos() - (nanoTime.getAsLong() - look.begun()));
    long first = Math.min(left, FRESH.toNanos());
    try {
      return found(look, first);
    } catch (TimeoutException e) {
      if (!waiting.tryAcquire()) {
        throw new HttpProblem(503, "too many wait for the states of studies; try again in a while");
      }
    }
    try {
      return found(look, left - first);
    } catch (TimeoutException e) {
      throw new HttpProblem(503, "the store does not answer in time; try again in a while");
    } finally {
      waiting.release();
    }
  }

  private static Snapshot found(Look look, long nanos) throws TimeoutException {
    try {
      return look.found().get(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HttpProblem(503, "the server is stopping");
    } catch (ExecutionException e) {
      throw PlanningLimit.unchecked(e);
    }
  }

  /**
   * Returns a stored study with its plan, which is made once.
   *
   * @param caller in whose turn it is planned
   */
  Study study(String caller, StudyRecord record) {
    synchronized (plans) {
      StudyPlan plan = plans.get(record.id());
      if (plan != null) {
        return new Study(record, plan);
      }
    }
    Study planned = planned(caller, record);
    keep(record.id(), planned.plan());
    return planned;
  }

  /** In the place of plans, and of their studies' states, that nobody has asked for for longest. */
  private void keep(String id, StudyPlan plan) {
    synchronized (plans) {
      StudyPlan before = plans.put(id, plan);
      charges += plan.size() - (before == null ? 0 : before.size());
      Iterator<Map.Entry<String, StudyPlan>> eldest = plans.entrySet().iterator();
      while (plans.size() > MOST_PLANS || (charges > mostCharges && plans.size() > 1)) {
        Map.Entry<String, StudyPlan> dropped = eldest.next();
        charges -= dropped.getValue().size();
        entries.remove(dropped.getKey());
        eldest.remove();
      }
    }
  }

  private Study planned(String caller, StudyRecord record) {
    try {
      return planner.apply(caller, record);
    } catch (InvalidSweepException | OverBudgetException e) {
      throw new UnplannedException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // planning reads no file
    }
  }

  StudyRecord find(String id) {
    return store.study(id).orElseThrow(() -> new UnknownStudyException(id));
  }

  /** Drops the cached state of a study that this process has changed. */
  void forget(String id) {
    entries.remove(id);
  }

  /**
   * Adds the reason for the study's state, if there is one. That of a cancellation is its caller's
   * own words, public as they are; others may name files.
   */
  void putReason(ObjectNode json, StudyRecord record) {
    boolean isCallers = record.state() == StudyState.CANCELLED;
    record
        .reason()
        .ifPresent(
            reason -> json.put("reason", isCallers ? reason : MutuneServer.publicly(reason)));
  }

  /** Adds when another study follows by its schedule, if one does. */
  static void putNext(ObjectNode json, StudyRecord record, Map<String, Instant> scheduled) {
    Optional.ofNullable(scheduled.get(record.id()))
        .ifPresent(next -> json.put("next", next.toString()));
  }

  /** Adds how long a study that runs still takes, if there is a way to tell. */
  static void putSecondsLeft(ObjectNode json, String state, StatusDocument status) {
    if (state.equals(StudyState.RUNNING.key())) {
      status.secondsLeft(Instant.now()).ifPresent(left -> json.put("secondsLeft", left));
    }
  }
}
