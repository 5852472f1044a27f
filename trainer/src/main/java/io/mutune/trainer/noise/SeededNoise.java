package io.mutune.trainer.noise;

import java.nio.ByteBuffer;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * Noise that repeats bit for bit from one run to the next. Only for a sweep that asks for it:
 * whoever knows the seed can subtract the noise, so no guarantee holds against them.
 */
public final class SeededNoise implements NoiseSource {
  private final long seed;
  private final KeyedStreams streams;

  public SeededNoise(long seed) {
    this.seed = seed;
    this.streams = new KeyedStreams(keyOf(seed));
  }

  static byte[] keyOf(long seed) {
    return keyOf("mutune seeded noise 1", seed);
  }

  /**
   * Returns a key that follows from a seed.
   *
   * @param use each use has keys of its own
   */
  static byte[] keyOf(String use, long seed) {
    return DigestUtils.updateDigest(DigestUtils.getSha256Digest(), use)
        .digest(ByteBuffer.allocate(Long.BYTES).putLong(seed).array());
  }

  @Override
  public NormalStream stream(StreamId id) {
    return streams.stream(id);
  }

  @Override
  public UniformStream bits(StreamId id) {
    return streams.bits(id);
  }

  @Override
  public String description() {
    return "AES-256 in counter mode from seed " + seed + ", normals by ziggurat; not secret";
  }
}
