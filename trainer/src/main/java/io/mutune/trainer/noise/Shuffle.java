package io.mutune.trainer.noise;

/** Random orders from a key. */
final class Shuffle {
  private Shuffle() {}

  /** Fisher and Yates: uniform, because {@code nextInt(bound)} rejects what would be biased. */
  static int[] of(int rows, byte[] key) {
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
