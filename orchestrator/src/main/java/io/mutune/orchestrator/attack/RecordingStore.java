package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.trainer.method.Iterate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records what passes through a store: every released iterate, where the store itself keeps the
 * last one, and what the ledger held before each operation that follows from private rows.
 */
public final class RecordingStore {
  /** What happened. */
  public enum Kind {
    /** Steps were begun. */
    STEPS,
    /** An iterate was released. */
    ITERATE,
    /** A score was released. */
    SCORE,
    /** A vector was asked for. */
    RELEASE
  }

  /** The operations that follow from private rows. */
  private static final Map<String, Kind> RECORDED =
      Map.of(
          "beginSteps", Kind.STEPS,
          "checkpoint", Kind.ITERATE,
          "score", Kind.SCORE,
          "beginRelease", Kind.RELEASE);

  /**
   * One such moment.
   *
   * @param what the run's number, or the vector's name
   * @param ledger what was charged by then, in order
   */
  public record Event(Kind kind, String what, List<String> ledger) {}

  private final StudyStore recorded;
  private final List<Event> events = new ArrayList<>();
  private final Map<Integer, List<Iterate>> iterates = new TreeMap<>();

  public RecordingStore(StudyStore recorded) {
    this.recorded = recorded;
  }

  /** Returns the store to use, whose operations are recorded. */
  public StudyStore store() {
    return StoreDecorator.of(recorded, this::record);
  }

  /** Returns the events in the order in which they happened. */
  public synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** Returns the iterates that a run released, in order. */
  synchronized List<Iterate> iterates(int number) {
    return List.copyOf(iterates.getOrDefault(number, List.of()));
  }

  private @Nullable Object record(
      String operation, Object[] arguments, StoreDecorator.Operation inner) throws Throwable {
    Kind kind = RECORDED.get(operation);
    if (kind != null) {
      List<String> ledger =
          recorded.charges((String) arguments[0]).stream().map(c -> c.charge().what()).toList();
      synchronized (this) {
        events.add(new Event(kind, String.valueOf(arguments[1]), ledger));
      }
    }
    Object result = inner.run(arguments);
    if (kind == Kind.ITERATE) {
      synchronized (this) {
        iterates
            .computeIfAbsent((Integer) arguments[1], n -> new ArrayList<>())
            .add((Iterate) arguments[3]);
      }
    }
    return result;
  }
}
