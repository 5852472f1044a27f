package io.mutune.trainer.model;

/**
 * Bytes as numbers that any store of numbers keeps to the last bit: how many there are, a number
 * that stands beside them, then six bytes a number, which is a whole one below 2^48.
 */
public final class PackedBytes {
  private static final int HEAD = 2;
  private static final int EACH = 6;

  private PackedBytes() {}

  /**
   * The numbers.
   *
   * @param head stands beside them
   */
  public static double[] numbers(int head, byte[] bytes) {
    double[] numbers = new double[HEAD + (bytes.length + EACH - 1) / EACH];
    numbers[0] = bytes.length;
    numbers[1] = head;
    for (int i = 0; i < bytes.length; i++) {
      int place = HEAD + i / EACH;
      numbers[place] += (double) ((long) (bytes[i] & 0xff) << (Byte.SIZE * (i % EACH)));
    }
    return numbers;
  }

  /** What stands beside the bytes of these numbers. */
  public static int head(double[] numbers) {
    require(numbers);
    return (int) numbers[1];
  }

  /**
   * The bytes again.
   *
   * @throws IllegalArgumentException if the numbers are of none
   */
  public static byte[] bytes(double[] numbers) {
    require(numbers);
    byte[] bytes = new byte[(int) numbers[0]];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ((long) numbers[HEAD + i / EACH] >>> (Byte.SIZE * (i % EACH)));
    }
    return bytes;
  }

  private static void require(double[] numbers) {
    if (numbers.length < HEAD
        || numbers[0] != Math.rint(numbers[0])
        || numbers[0] < 0
        || Math.ceil(numbers[0] / EACH) != numbers.length - HEAD) {
      throw new IllegalArgumentException("these numbers are no bytes");
    }
  }
}
