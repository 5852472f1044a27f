package io.mutune.trainer.noise;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Streams under one master key. A stream's AES-256 key is HMAC-SHA256(master, id), so streams of
 * different ids are independent to whoever lacks the master; its counter starts at 0, which is safe
 * because no two streams share a key.
 */
final class KeyedStreams {
  private static final int COUNTER_BYTES = 16;

  private final byte[] master;
  private final Set<StreamId> used = ConcurrentHashMap.newKeySet();

  /**
   * @param master 32 bytes
   */
  KeyedStreams(byte[] master) {
    this.master = master.clone();
  }

  NormalStream stream(StreamId id) {
    return ZigguratSampler.NormalizedGaussian.of(keystream(id))::sample;
  }

  UniformStream bits(StreamId id) {
    return keystream(id)::nextLong;
  }

  /** The uniform bits under a stream. */
  UniformRandomProvider keystream(StreamId id) {
    if (!used.add(id)) {
      throw new IllegalStateException("noise is never reused: " + id + " was handed out before");
    }
    byte[] key = new HmacUtils(HmacAlgorithms.HMAC_SHA_256, master).hmac(id.encoded());
    return new AesCtr(key, new byte[COUNTER_BYTES]);
  }
}
