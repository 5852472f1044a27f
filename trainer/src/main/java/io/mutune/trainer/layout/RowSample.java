package io.mutune.trainer.layout;

import io.mutune.trainer.noise.UniformStream;

/**
 * Which rows take part in one sum: asked once a row, in the order of the rows, or where rows belong
 * to units once a unit, in theirs. A Poisson sample of rows in several buckets is asked for each
 * bucket by itself instead, which gives every unit the same chance.
 */
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
    return new PoissonSample(rate, bits);
  }

  /**
   * {@code size} of the positions 1 to {@code positions}, every set of that size as likely as any
   * other. A position without a row takes part as a row that adds nothing, and a row after the last
   * position never does, so nothing has to be known of the number of rows.
   *
   * @param size from 1 to {@code positions}
   * @param bits of this sum alone, and secret
   */
  static RowSample withoutReplacement(long size, long positions, UniformStream bits) {
    return new FixedSizeSample(size, positions, bits);
  }
}
