package io.mutune.trainer.method;

import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.NoiseSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * What surrounds one attempt at training, apart from the method's own settings.
 *
 * @param engine computes the clipped sums
 * @param noise where noise comes from
 * @param streams which of its streams are this attempt's; a resumed attempt keeps its own
 * @param journal is told of steps before they read a row
 * @param from the last checkpoint of the same attempt, if there is one
 * @param stepsBegun how many steps the journal knows as begun: those after {@code from} are spent
 *     and skipped
 * @param cancelled looked at before every step
 * @param progress told the number of every step that is done; that number is public
 */
public record TrainingAttempt(
    ClippedSums engine,
    NoiseSource noise,
    AttemptStreams streams,
    StepJournal journal,
    Optional<Iterate> from,
    int stepsBegun,
    BooleanSupplier cancelled,
    IntConsumer progress) {
  public TrainingAttempt {
    int asked = from.map(Iterate::asked).orElse(0);
    if (stepsBegun < asked) {
      throw new IllegalArgumentException(
          "a checkpoint of %d steps cannot follow %d begun ones".formatted(asked, stepsBegun));
    }
  }

  /** An attempt from the start, that nothing cancels and nobody watches. */
  public static TrainingAttempt fresh(
      ClippedSums engine, NoiseSource noise, AttemptStreams streams, StepJournal journal) {
    return new TrainingAttempt(
        engine, noise, streams, journal, Optional.empty(), 0, () -> false, step -> {});
  }

  /**
   * The checkpoint, or the start of a run without one.
   *
   * @param weights before the first step; not written to
   * @param memory likewise
   * @throws IllegalArgumentException if the checkpoint is of other lengths
   */
  public Iterate start(double[] weights, double[] memory) {
    Iterate start = from.orElseGet(() -> new Iterate(0, weights, memory));
    requireLength("weights", start.weights().length, weights.length);
    requireLength("remembered numbers", start.memory().length, memory.length);
    return start;
  }

  private static void requireLength(String what, int length, int needed) {
    if (length != needed) {
      throw new IllegalArgumentException(
          "a checkpoint of %d %s does not fit a run of %d".formatted(length, what, needed));
    }
  }

  /** The same that may be cancelled before a step, and tells of each that is done. */
  public TrainingAttempt watched(BooleanSupplier cancelled, IntConsumer progress) {
    return new TrainingAttempt(
        engine, noise, streams, journal, from, stepsBegun, cancelled, progress);
  }
}
