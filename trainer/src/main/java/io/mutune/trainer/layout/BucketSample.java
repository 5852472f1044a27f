package io.mutune.trainer.layout;

import io.mutune.trainer.noise.SampleKeys;
import io.mutune.trainer.noise.UniformStream;
import java.io.Serializable;

/**
 * A Poisson sample of rows in buckets, each of which has coins of its own: machines that hold whole
 * buckets draw it by themselves.
 *
 * @param rate the chance of each unit
 */
public record BucketSample(double rate, SampleKeys keys) implements Serializable {
  /** The sample of one bucket's units. */
  public RowSample of(int bucket) {
    UniformStream coins = keys.coins(bucket);
    return () -> coins.chance(rate);
  }
}
