package io.mutune.trainer.noise;

import java.security.SecureRandom;

/**
 * Uniformly random orders of rows. An order is as secret as noise: a sum that rounds needs one so
 * that a row taken out moves one other row only, and not all that follow (docs/soundness.md).
 */
@FunctionalInterface
public interface RowOrders {
  /** A permutation of 0 … {@code rows} − 1. */
  int[] draw(int rows);

  /** Another order at every call, under a key that is drawn for it and forgotten. */
  static RowOrders secret() {
    return rows -> {
      byte[] key = new byte[32];
      new SecureRandom().nextBytes(key);
      return shuffled(rows, key);
    };
  }

  /** The same order for the same number of rows: not secret, as everything seeded. */
  static RowOrders seeded(long seed) {
    return rows -> shuffled(rows, SeededNoise.keyOf("mutune seeded row order 1", seed));
  }

  /** Fisher and Yates: uniform, because {@code nextInt(bound)} rejects what would be biased. */
  private static int[] shuffled(int rows, byte[] key) {
    AesCtr bits = new AesCtr(key, new byte[16]);
    int[] order = new int[rows];
    for (int i = 0; i < rows; i++) {
      int j = bits.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }
}
