package io.mutune.trainer.noise;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Noise that repeats bit for bit from one run to the next. Only for a sweep that asks for it:
 * whoever knows the seed can subtract the noise, so no guarantee holds against them.
 */
public final class SeededNoise implements NoiseSource {
  private static final String DOMAIN = "mutune seeded noise 1";

  private final long seed;
  private final KeyedStreams streams;

  public SeededNoise(long seed) {
    this.seed = seed;
    this.streams = new KeyedStreams(keyOf(seed));
  }

  static byte[] keyOf(long seed) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(DOMAIN.getBytes(StandardCharsets.UTF_8));
      return digest.digest(ByteBuffer.allocate(Long.BYTES).putLong(seed).array());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
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
  public boolean secret() {
    return false;
  }

  @Override
  public String description() {
    return "AES-256 in counter mode from seed " + seed + ", normals by ziggurat; not secret";
  }
}
