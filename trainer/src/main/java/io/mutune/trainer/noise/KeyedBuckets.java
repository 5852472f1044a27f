package io.mutune.trainer.noise;

import java.nio.ByteBuffer;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;

/** Buckets, and the keys of their orders, by HMAC-SHA-256. */
final class KeyedBuckets implements RowBuckets {
  private static final long serialVersionUID = 1;

  private static final byte COIN = 'c';
  private static final byte ORDER = 'o';
  private static final byte NAME = 'i';
  private static final byte NUMBERS = 'n';

  private final byte[] key;
  private final int count;

  /**
   * @param key of these buckets alone
   * @param count at least 1
   */
  KeyedBuckets(byte[] key, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("there is at least one bucket; was " + count);
    }
    this.key = key.clone();
    this.count = count;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int ofNumbers(float[] rows, int from, int columns) {
    ByteBuffer bytes = ByteBuffer.allocate(1 + columns * Float.BYTES).put(NUMBERS);
    for (int j = from; j < from + columns; j++) {
      bytes.putFloat(rows[j] + 0.0f); // makes one zero of both
    }
    return bucket(bytes.array());
  }

  @Override
  public int ofName(long name) {
    return bucket(ByteBuffer.allocate(1 + Long.BYTES).put(NAME).putLong(name).array());
  }

  /** Off a uniform bucket by less than 2^-32: privacy takes none to be uniform. */
  private int bucket(byte[] unit) {
    return (int) ((ByteBuffer.wrap(hmac(unit)).getLong() >>> 1) % count);
  }

  /** A key for each order that is drawn of a bucket, by which one it is. */
  @Override
  public RowOrders orders(int bucket) {
    int[] drawn = new int[1];
    return rows -> Shuffle.of(rows, key(ORDER, bucket, drawn[0]++));
  }

  /** One coin after the other. */
  UniformStream coins(int bucket) {
    return new AesCtr(key(COIN, bucket, 0), new byte[16])::nextLong;
  }

  private byte[] key(byte use, int bucket, int number) {
    ByteBuffer which = ByteBuffer.allocate(1 + 2 * Integer.BYTES);
    return hmac(which.put(use).putInt(bucket).putInt(number).array());
  }

  private byte[] hmac(byte[] bytes) {
    return new HmacUtils(HmacAlgorithms.HMAC_SHA_256, key).hmac(bytes);
  }

  /** Says nothing of the key. */
  @Override
  public String toString() {
    return "KeyedBuckets";
  }
}
