package io.mutune.trainer.data;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;
import org.jspecify.annotations.Nullable;

/**
 * Which side of a split each unit of a private file is on. Each unit has a place in [0, 1) by a
 * keyed hash of what it is: the id of a person, and of a row without one its numbers, so that equal
 * rows have the same place. Its place in the file, how many units there are and what others are
 * have no say in it, so a unit more or less leaves all others where they were, whatever the key is.
 */
public final class UnitSplit implements Serializable {
  private static final long serialVersionUID = 1;

  private static final byte TAG = 't';

  /** Of how numbers are read, from which places of rows follow: another where that has changed. */
  private static final byte READING = 2;

  private static final byte ID = 'i';
  private static final byte NUMBERS = 'n';
  private static final int BITS = 53;

  private final byte[] key;

  /**
   * @param key of this split alone
   */
  UnitSplit(byte[] key) {
    this.key = key.clone();
  }

  /** A side: the units whose places are at least {@code from} and below {@code to}. */
  public record Side(double from, double to) implements Serializable {
    public Side {
      if (!(from >= 0 && from < to && to <= 1)) {
        throw new IllegalArgumentException(
            "a side lies within [0, 1); was [%s, %s)".formatted(from, to));
      }
    }

    /** The part of all units that is expected there. */
    public double share() {
      return to - from;
    }

    boolean has(double place) {
      return place >= from && place < to;
    }
  }

  /**
   * By which the same key, and the same reading of numbers, is known again under a nonce; it tells
   * nothing else of it.
   *
   * @param nonce public
   */
  public String tag(String nonce) {
    return tag(new byte[] {TAG, READING}, nonce);
  }

  /** The same of the reading that numbers of Parquet and hashed columns had before. */
  public String earlierTag(String nonce) {
    return tag(new byte[] {TAG}, nonce);
  }

  private String tag(byte[] begin, String nonce) {
    byte[] text = nonce.getBytes(StandardCharsets.UTF_8);
    return hmac()
        .hmacHex(ByteBuffer.allocate(begin.length + text.length).put(begin).put(text).array());
  }

  /**
   * The place of a row's unit.
   *
   * @param values of the row before any feature map
   * @param unit whose row it is; null where each row is one
   */
  double place(float[] values, @Nullable String unit) {
    byte[] hash = hmac().hmac(unit == null ? numbers(values) : id(unit));
    return (ByteBuffer.wrap(hash).getLong() >>> (Long.SIZE - BITS)) * 0x1p-53;
  }

  private static byte[] id(String unit) {
    byte[] text = unit.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + text.length).put(ID).put(text).array();
  }

  private static byte[] numbers(float[] values) {
    ByteBuffer bytes = ByteBuffer.allocate(1 + values.length * Float.BYTES).put(NUMBERS);
    for (float value : values) {
      bytes.putFloat(value + 0.0f); // makes one zero of both
    }
    return bytes.array();
  }

  /** One for each call, since they may come from several threads. */
  private HmacUtils hmac() {
    return new HmacUtils(HmacAlgorithms.HMAC_SHA_256, key);
  }

  /** Says nothing of the key. */
  @Override
  public String toString() {
    return "UnitSplit";
  }
}
