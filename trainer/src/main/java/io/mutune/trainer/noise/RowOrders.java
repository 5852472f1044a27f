package io.mutune.trainer.noise;

/**
 * Uniformly random orders of rows. An order is as secret as noise: a sum that rounds needs one so
 * that a row taken out moves one other row only, and not all that follow (docs/soundness.md).
 */
@FunctionalInterface
public interface RowOrders {
  /** A permutation of 0 … {@code rows} − 1. */
  int[] draw(int rows);

  /** Buckets of one data set with orders of their own, under a key that is drawn for them. */
  default RowBuckets buckets(int count) {
    return new KeyedBuckets(SecureNoise.freshKey(), count);
  }

  /** Another order at every call, under a key that is drawn for it and forgotten. */
  static RowOrders secret() {
    return rows -> Shuffle.of(rows, SecureNoise.freshKey());
  }

  /** The same order for the same number of rows: not secret, as everything seeded. */
  static RowOrders seeded(long seed) {
    return new RowOrders() {
      @Override
      public int[] draw(int rows) {
        return Shuffle.of(rows, SeededNoise.keyOf("mutune seeded row order 1", seed));
      }

      @Override
      public RowBuckets buckets(int count) {
        return new KeyedBuckets(SeededNoise.keyOf("mutune seeded row buckets 1", seed), count);
      }
    };
  }
}
