package io.mutune.orchestrator.server;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.StatusDocument;
import io.mutune.orchestrator.schedule.UnknownStudyException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where studies stand, as it was seen a moment ago. Many may ask at once, and nobody who asks for
 * what was seen lately waits for the store, which training writes to, or for the cores: another
 * thread looks again. Plans are kept, since they follow from the definition and may take seconds.
 */
final class Snapshots {
  /** A look that is younger is as good as a new one. */
  static final Duration FRESH = Duration.ofMillis(250);

  /**
   * One that is younger is shown while another thread looks again; one that is not is waited for.
   */
  static final Duration USABLE = Duration.ofSeconds(1);

  /** So long, from when a look began, is waited for one at a study that was seen before. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final int MOST_PLANS = 256;

  private final StudyStore store;
  private final LongSupplier nanoTime;
  private final UnaryOperator<String> publicly;
  private final Planner planner;
  private final Executor lookers;
  private final Duration firstPatience;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final Map<String, StudyPlan> plans =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StudyPlan> eldest) {
          return size() > MOST_PLANS;
        }
      };

  /** Plans a study that the store has, where there is room for that. */
  @FunctionalInterface
  interface Planner {
    Study plan(StudyRecord record) throws IOException;
  }

  /**
   * What was found, and when.
   *
   * @param epsilonSpent which may take some tenths of a second to find
   */
  record Snapshot(
      StudyRecord record, StatusDocument status, Epsilon epsilonSpent, String json, long nanos) {}

  /** A study that another version of Mutune made, and this one cannot plan. */
  static final class UnplannedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnplannedException(Throwable cause) {
      super(cause);
    }
  }

  /** A look that is under way, for all who wait for it. */
  private record Look(CompletableFuture<Snapshot> found, long begun) {}

  /** What is known of a study. */
  private static final class Entry {
    private @Nullable Snapshot last;
    private @Nullable Look underWay;
  }

  /**
   * @param publicly what makes a message about files fit to be shown
   * @param lookers run looks; few, since each asks the store
   * @param firstPatience how long is waited for the first look at a study, which may plan it
   */
  Snapshots(
      StudyStore store,
      LongSupplier nanoTime,
      UnaryOperator<String> publicly,
      Planner planner,
      Executor lookers,
      Duration firstPatience) {
    this.store = store;
    this.nanoTime = nanoTime;
    this.publicly = publicly;
    this.planner = planner;
    this.lookers = lookers;
    this.firstPatience = firstPatience;
  }

  /**
   * Where a study stands.
   *
   * @throws UnknownStudyException if there is none of this id
   * @throws UnplannedException if this version cannot plan it
   * @throws HttpProblem if nothing was found in time
   */
  Snapshot of(String id) {
    if (entries.size() >= MOST_PLANS && !entries.containsKey(id)) {
      entries.clear();
    }
    Entry entry = entries.computeIfAbsent(id, key -> new Entry());
    Look look;
    Duration patience;
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
      patience = last == null ? firstPatience : PATIENCE;
    }
    return await(look, patience);
  }

  /** What {@link #of} says, but for a study that cannot be planned. */
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
    StatusDocument status = StatusDocument.of(store, study(record));
    Epsilon spent =
        last != null && last.status().spending().charges().equals(status.spending().charges())
            ? last.epsilonSpent()
            : status.spending().epsilonSpent();
    ObjectNode json = status.json(state(record), spent);
    putReason(json, record);
    return new Snapshot(record, status, spent, Json.write(json), now);
  }

  private Snapshot await(Look look, Duration patience) {
    long left = Math.max(0, patience.toNanos() - (nanoTime.getAsLong() - look.begun()));
    try {
      return look.found().get(left, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new HttpProblem(503, "the store does not answer in time; try again in a while");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HttpProblem(503, "the server is stopping");
    } catch (ExecutionException e) {
      throw PlanningLimit.unchecked(e);
    }
  }

  /** A study from the store, with its plan, which is made once. */
  Study study(StudyRecord record) {
    synchronized (plans) {
      StudyPlan plan = plans.get(record.id());
      if (plan != null) {
        return new Study(record, plan);
      }
    }
    Study planned = planned(record);
    synchronized (plans) {
      plans.put(record.id(), planned.plan());
    }
    return planned;
  }

  private Study planned(StudyRecord record) {
    try {
      return planner.plan(record);
    } catch (InvalidSweepException | OverBudgetException e) {
      throw new UnplannedException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // planning reads no file
    }
  }

  StudyRecord find(String id) {
    return store.study(id).orElseThrow(() -> new UnknownStudyException(id));
  }

  /** Forgets what was seen, after it was changed from here. */
  void forget(String id) {
    entries.remove(id);
  }

  /** Why it stands where it stands; nothing where there is no more to say. */
  void putReason(ObjectNode json, StudyRecord record) {
    record.reason().ifPresent(reason -> json.put("reason", publicly.apply(reason)));
  }

  static String state(StudyRecord record) {
    return record.state().name().toLowerCase(Locale.ROOT);
  }
}
