package io.mutune.trainer.layout;

import io.mutune.trainer.noise.SampleKeys;
import io.mutune.trainer.noise.UniformStream;

/** Each unit by a coin of its own. Asked once, in one of the two ways. */
public record PoissonSample(double rate, UniformStream bits) implements RowSample {
  @Override
  public boolean takesNext() {
    return bits.chance(rate);
  }

  /** A sample with the same chance of each unit, for which each bucket draws its own coins. */
  public BucketSample byBucket() {
    return new BucketSample(rate, SampleKeys.of(bits));
  }
}
