package io.mutune.orchestrator.compare;

/**
 * How wide and how often strategies are held against each other.
 *
 * @param range of learning rates, for strategies without a natural unit
 * @param repeats of every strategy, at least 1
 * @param looks how often each point of the oracle's lattice is run at first, 1 to repeats; the
 *     better third is run three times as often, and so on up to {@code repeats}, and the best is
 *     then run {@code repeats} times anew
 * @param seed of all points and all noise
 */
public record ComparisonSize(RateRange range, int repeats, int looks, long seed) {
  public ComparisonSize {
    if (repeats < 1 || looks < 1 || looks > repeats) {
      throw new IllegalArgumentException(
          "a comparison needs 1 <= looks <= repeats; was " + looks + " and " + repeats);
    }
  }
}
