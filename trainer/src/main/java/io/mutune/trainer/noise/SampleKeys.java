package io.mutune.trainer.noise;

import java.io.Serializable;
import java.nio.ByteBuffer;

/**
 * The coins and the orders of one sample of rows in buckets: each bucket has its own, the same ones
 * whenever they are asked for, on whichever machine. As secret as noise.
 */
public final class SampleKeys implements Serializable {
  private static final long serialVersionUID = 1;

  private static final int KEY_BYTES = 32;

  private final KeyedBuckets buckets;

  private SampleKeys(byte[] key) {
    buckets = new KeyedBuckets(key, 1);
  }

  /**
   * Under a key of the next 256 bits.
   *
   * @param bits of this sample alone, and secret
   */
  public static SampleKeys of(UniformStream bits) {
    ByteBuffer key = ByteBuffer.allocate(KEY_BYTES);
    while (key.hasRemaining()) {
      key.putLong(bits.next());
    }
    return new SampleKeys(key.array());
  }

  /** The coins of a bucket's units, in their order. */
  public UniformStream coins(int bucket) {
    return buckets.coins(bucket);
  }

  /** The orders of a bucket's units that are taken. */
  public RowOrders orders(int bucket) {
    return buckets.orders(bucket);
  }

  /** Says nothing of the key. */
  @Override
  public String toString() {
    return "SampleKeys";
  }
}
