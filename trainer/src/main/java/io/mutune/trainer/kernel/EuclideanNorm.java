package io.mutune.trainer.kernel;

/** ‖x‖ in double, the squares added in their order. */
public final class EuclideanNorm {
  private EuclideanNorm() {}

  public static double of(double[] x) {
    double squares = 0;
    for (double value : x) {
      squares += value * value;
    }
    return Math.sqrt(squares);
  }

  /** Of float32 numbers from {@code offset} on: no finite ones overflow. */
  public static double of(float[] x, int offset, int count) {
    double squares = 0;
    for (int i = offset; i < offset + count; i++) {
      squares += (double) x[i] * x[i];
    }
    return Math.sqrt(squares);
  }
}
