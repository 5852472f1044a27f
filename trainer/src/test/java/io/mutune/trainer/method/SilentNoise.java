package io.mutune.trainer.method;

import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.noise.UniformStream;

/** No noise at all, with samples from a seed: the deterministic part of a method. */
public final class SilentNoise implements NoiseSource {
  private final NoiseSource seeded;

  public SilentNoise(long seed) {
    this.seeded = new SeededNoise(seed);
  }

  @Override
  public NormalStream stream(StreamId id) {
    return () -> 0;
  }

  @Override
  public UniformStream bits(StreamId id) {
    return seeded.bits(id);
  }

  @Override
  public String description() {
    return "none";
  }
}
