package io.mutune.trainer.method;

/**
 * Where a training run stands, in released values only, so it may be stored anywhere. Whoever goes
 * on from it asks nothing twice.
 *
 * @param asked how many of the run's steps are used up: taken, or begun and lost in a crash
 * @param weights {@code [features, columns]}, row-major; not to be written to
 * @param velocity the momentum's running sum, of the same shape; not to be written to
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
public record Iterate(int asked, double[] weights, double[] velocity) {
  public Iterate {
    if (asked < 0 || weights.length != velocity.length) {
      throw new IllegalArgumentException(
          "not an iterate: %d steps, %d weights, %d velocities"
              .formatted(asked, weights.length, velocity.length));
    }
    weights = weights.clone();
    velocity = velocity.clone();
  }

  /** Before the first step: all zero. */
  static Iterate zero(int length) {
    return new Iterate(0, new double[length], new double[length]);
  }
}
