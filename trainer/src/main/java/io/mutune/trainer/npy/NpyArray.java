package io.mutune.trainer.npy;

/**
 * An array as NumPy keeps it in C order. Callers must not write to its arrays.
 *
 * @param shape no dimension for a scalar
 * @param values as many as the product of the shape
 */
@SuppressWarnings("ArrayRecordComponent") // never compared: a holder on the way to and from a file
public record NpyArray(int[] shape, double[] values) {
  public NpyArray {
    if (count(shape) != values.length) {
      throw new IllegalArgumentException("an array's values do not fit its shape");
    }
  }

  /** How many values that shape has, or −1 for a negative dimension or more than an int counts. */
  static long count(int[] shape) {
    long count = 1;
    for (int size : shape) {
      if (size < 0) {
        return -1;
      }
      count *= size;
      if (count > Integer.MAX_VALUE) {
        return -1;
      }
    }
    return count;
  }
}
