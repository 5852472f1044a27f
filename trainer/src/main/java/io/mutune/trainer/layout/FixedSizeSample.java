package io.mutune.trainer.layout;

import io.mutune.trainer.noise.UniformStream;

/** A sample without replacement, position by position (Knuth, volume 2, Algorithm 3.4.2 S). */
final class FixedSizeSample implements RowSample {
  private final UniformStream bits;
  private long wanted;
  private long left;

  FixedSizeSample(long size, long positions, UniformStream bits) {
    if (size < 1 || size > positions) {
      throw new IllegalArgumentException(
          "a sample of %d positions has from 1 to all of them; was %d".formatted(positions, size));
    }
    this.wanted = size;
    this.left = positions;
    this.bits = bits;
  }

  @Override
  public boolean takesNext() {
    if (wanted == 0 || left == 0) {
      return false;
    }
    boolean taken = bits.below(left) < wanted;
    left--;
    if (taken) {
      wanted--;
    }
    return taken;
  }
}
