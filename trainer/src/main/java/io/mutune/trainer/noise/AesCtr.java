package io.mutune.trainer.noise;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The AES-256 counter mode keystream (NIST SP 800-38A, section 6.5) as a source of uniform bits,
 * most significant byte first.
 */
final class AesCtr implements UniformRandomProvider {
  /** Large enough that the cipher's set-up cost vanishes, small enough for the first cache. */
  private static final int BUFFER_BYTES = 8192;

  private final Cipher cipher;
  private final byte[] zeros = new byte[BUFFER_BYTES];
  private final byte[] keystream = new byte[BUFFER_BYTES];
  private final ByteBuffer unread = ByteBuffer.wrap(keystream).position(BUFFER_BYTES);

  /**
   * @param key 32 bytes
   * @param counter the first counter block, 16 bytes
   */
  AesCtr(byte[] key, byte[] counter) {
    try {
      cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(counter));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-256 in counter mode", e);
    }
  }

  @Override
  public long nextLong() {
    if (!unread.hasRemaining()) {
      refill();
    }
    return unread.getLong();
  }

  private void refill() {
    try {
      int written = cipher.update(zeros, 0, BUFFER_BYTES, keystream);
      if (written != BUFFER_BYTES) {
        throw new IllegalStateException("the cipher held back part of its keystream");
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the cipher refused to go on", e);
    }
    unread.rewind();
  }
}
