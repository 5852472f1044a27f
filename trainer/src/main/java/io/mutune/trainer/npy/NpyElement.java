package io.mutune.trainer.npy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers of a NumPy array: {@code f2}, {@code f4}, {@code f8}, {@code i} and {@code u} of 1 to
 * 8 bytes, {@code b1}, little or big endian.
 *
 * @param kind {@code f}, {@code i}, {@code u} or {@code b}
 * @param bytes of one number
 * @param order of its bytes
 */
public record NpyElement(char kind, int bytes, ByteOrder order) {
  private static final Pattern DESCRIPTION =
      Pattern.compile("([<>|=])(?:(f)([248])|([iu])([1248])|(b)(1))");

  private static final int HALF_FRACTION_BITS = 10;
  private static final int HALF_BIAS = 15;

  /** Of a header's {@code descr}; empty for other types. */
  static Optional<NpyElement> of(String description) {
    Matcher match = DESCRIPTION.matcher(description);
    if (!match.matches()) {
      return Optional.empty();
    }
    int group = match.group(2) != null ? 2 : match.group(4) != null ? 4 : 6;
    ByteOrder order = match.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    return Optional.of(
        new NpyElement(
            match.group(group).charAt(0), Integer.parseInt(match.group(group + 1)), order));
  }

  /**
   * The number at a byte position; exact, but for whole numbers beyond 2^53.
   *
   * @param values in {@link #order}
   */
  public double read(ByteBuffer values, int at) {
    return switch (kind) {
      case 'f' ->
          switch (bytes) {
            case 2 -> half(values.getShort(at));
            case 4 -> values.getFloat(at);
            default -> values.getDouble(at);
          };
      case 'b' -> values.get(at) != 0 ? 1 : 0;
      case 'u' -> unsigned(values, at);
      default ->
          switch (bytes) {
            case 1 -> values.get(at);
            case 2 -> values.getShort(at);
            case 4 -> values.getInt(at);
            default -> (double) values.getLong(at);
          };
    };
  }

  private double unsigned(ByteBuffer values, int at) {
    return switch (bytes) {
      case 1 -> values.get(at) & 0xff;
      case 2 -> values.getShort(at) & 0xffff;
      case 4 -> values.getInt(at) & 0xffffffffL;
      default -> {
        long bits = values.getLong(at);
        yield bits >= 0 ? (double) bits : Math.scalb((double) (bits >>> 1), 1);
      }
    };
  }

  /** IEEE 754 binary16. */
  private static double half(short bits) {
    int fraction = bits & 0x3ff;
    int exponent = (bits >> HALF_FRACTION_BITS) & 0x1f;
    double magnitude;
    if (exponent == 0x1f) {
      magnitude = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
    } else if (exponent == 0) {
      magnitude = Math.scalb((double) fraction, 1 - HALF_BIAS - HALF_FRACTION_BITS);
    } else {
      magnitude =
          Math.scalb((double) (fraction | 0x400), exponent - HALF_BIAS - HALF_FRACTION_BITS);
    }
    return bits < 0 ? -magnitude : magnitude;
  }
}
