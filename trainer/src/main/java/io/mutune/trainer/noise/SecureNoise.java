package io.mutune.trainer.noise;

import java.security.SecureRandom;

/**
 * The default: noise under a 256-bit key that the operating system draws for this instance, that is
 * never stored, printed or handed out, and that ends with the process.
 *
 * <p>Normals are doubles by the ziggurat method and reach as far as a normal does. They are not
 * drawn from a discrete law, so the last bits of a sum with them are not covered by the proof of
 * the Gaussian mechanism, which is over the reals.
 */
public final class SecureNoise implements NoiseSource {
  private static final int KEY_BYTES = 32;

  private final KeyedStreams streams = new KeyedStreams(freshKey());

  static byte[] freshKey() {
    byte[] key = new byte[KEY_BYTES];
    // Not getInstanceStrong(): it can block for minutes on a fresh machine and is no stronger.
    new SecureRandom().nextBytes(key);
    return key;
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
    return "AES-256 in counter mode, a fresh secret key for each run, normals by ziggurat";
  }
}
