package io.mutune.trainer.method;

/**
 * Where a training run stands, in released values only, so it may be stored anywhere. Whoever goes
 * on from it asks nothing twice.
 *
 * @param asked how many of the run's steps it accounts for: taken, or begun and lost in a crash
 *     before whoever made it went on
 * @param weights {@code [features, columns]}, row-major; not to be written to
 * @param memory whatever else the method has to remember, such as the momentum's running sum; its
 *     length is the method's; not to be written to
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
public record Iterate(int asked, double[] weights, double[] memory) {
  public Iterate {
    if (asked < 0) {
      throw new IllegalArgumentException("not an iterate: %d steps".formatted(asked));
    }
    weights = weights.clone();
    memory = memory.clone();
  }
}
