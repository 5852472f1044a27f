package io.mutune.trainer.model;

import io.mutune.trainer.noise.UniformStream;

/** Which rows take part in one sum: asked once a row, in the order of the rows. */
@FunctionalInterface
public interface RowSample {
  /** Every row. */
  RowSample ALL = () -> true;

  /** Whether the next row takes part. */
  boolean takesNext();

  /**
   * Each row with probability {@code rate}, rounded down, independently of all others; an empty
   * sample is a sample.
   *
   * @param bits of this sum alone, and secret
   */
  static RowSample poisson(double rate, UniformStream bits) {
    return () -> bits.chance(rate);
  }
}
