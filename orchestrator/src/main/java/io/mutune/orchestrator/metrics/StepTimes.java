package io.mutune.orchestrator.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Measures steps by the calls to the store that begin a block of steps and keep its iterate. Used
 * only on request, since the time grows with the private number of rows, and never for a study with
 * secret runs: to the store these are one step, so its time would tell how many they were.
 */
final class StepTimes {
  private static final String BEGIN = "beginSteps";
  private static final String KEPT = "checkpoint";

  private final MutuneMetrics metrics;
  private final LongSupplier nanoTime;
  private final Predicate<String> isSecret;
  private final Map<String, Boolean> secret = new ConcurrentHashMap<>();
  private final Map<List<Object>, Block> begun = new ConcurrentHashMap<>();

  /** The number of steps that were begun, and the time. */
  private record Block(int steps, long nanos) {}

  /**
   * @param isSecret whether a study, by its id, has secret runs; asked once a study
   */
  StepTimes(MutuneMetrics metrics, LongSupplier nanoTime, Predicate<String> isSecret) {
    this.metrics = metrics;
    this.nanoTime = nanoTime;
    this.isSecret = isSecret;
  }

  /** After {@code beginSteps(study, number, start, first, last)} has returned. */
  void after(String operation, Object[] arguments) {
    if (operation.equals(BEGIN) && Boolean.FALSE.equals(secret.get((String) arguments[0]))) {
      int steps = (int) arguments[4] - (int) arguments[3] + 1;
      begun.put(run(arguments), new Block(steps, nanoTime.getAsLong()));
    }
  }

  /** Before {@code beginSteps} or {@code checkpoint(study, number, start, iterate)} is called. */
  void before(String operation, Object[] arguments) {
    if (operation.equals(BEGIN)) {
      secret.computeIfAbsent((String) arguments[0], isSecret::test);
    }
    Block block = operation.equals(KEPT) ? begun.remove(run(arguments)) : null;
    if (block != null) {
      metrics.stepped((nanoTime.getAsLong() - block.nanos()) / block.steps());
    }
  }

  private static List<Object> run(Object[] arguments) {
    return List.of(arguments[0], arguments[1]);
  }
}
