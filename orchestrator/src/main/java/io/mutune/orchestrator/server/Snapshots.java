package io.mutune.orchestrator.server;

import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.StatusDocument;
import io.mutune.orchestrator.schedule.UnknownStudyException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.StudyPlan;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where studies stand, a quarter of a second old at most: many may ask at once, and the store and
 * the training beside it are asked four times a second for each study. Plans are kept, since they
 * follow from the definition and may take seconds.
 */
final class Snapshots {
  static final Duration FRESH = Duration.ofMillis(250);
  private static final int MOST_PLANS = 256;

  private final StudyStore store;
  private final LongSupplier nanoTime;
  private final UnaryOperator<String> publicly;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final Map<String, StudyPlan> plans =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StudyPlan> eldest) {
          return size() > MOST_PLANS;
        }
      };

  /** What was found, and when. */
  record Snapshot(StudyRecord record, StatusDocument status, String json, long nanos) {}

  /** A study's place: whoever holds it looks for all who wait. */
  private static final class Entry {
    private @Nullable Snapshot last;
  }

  /**
   * @param publicly what makes a message about files fit to be shown
   */
  Snapshots(StudyStore store, LongSupplier nanoTime, UnaryOperator<String> publicly) {
    this.store = store;
    this.nanoTime = nanoTime;
    this.publicly = publicly;
  }

  /**
   * Where a study stands.
   *
   * @throws UnknownStudyException if there is none of this id
   */
  Snapshot of(String id) {
    Entry known = entries.get(id);
    if (known == null) {
      StudyRecord record = find(id);
      if (entries.size() >= MOST_PLANS) {
        entries.clear();
      }
      known = entries.computeIfAbsent(record.id(), key -> new Entry());
    }
    synchronized (known) {
      Snapshot last = known.last;
      if (last == null || nanoTime.getAsLong() - last.nanos() > FRESH.toNanos()) {
        last = look(id);
        known.last = last;
      }
      return last;
    }
  }

  private Snapshot look(String id) {
    long now = nanoTime.getAsLong();
    StudyRecord record = find(id);
    StatusDocument status = StatusDocument.of(store, study(record));
    ObjectNode json = status.json(state(record));
    putReason(json, record);
    return new Snapshot(record, status, Json.write(json), now);
  }

  /** A study from the store, with its plan, which is made once. */
  Study study(StudyRecord record) {
    synchronized (plans) {
      StudyPlan plan = plans.get(record.id());
      if (plan != null) {
        return new Study(record, plan);
      }
    }
    Study planned = Study.ofRecord(record);
    synchronized (plans) {
      plans.put(record.id(), planned.plan());
    }
    return planned;
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
