package io.mutune.trainer.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernel on the JDK's Vector API, at the machine's preferred width. Residuals are computed with
 * rows in lanes, lane by lane alike. No {@code reduceLanes}: its order is not specified, and may
 * differ between the interpreter and compiled code.
 */
final class VectorKernel implements BlockKernel {
  /** At most 512 bits, so that {@link #ROWS} are whole vectors. */
  static final VectorSpecies<Float> F =
      FloatVector.SPECIES_PREFERRED.vectorBitSize() > 512
          ? FloatVector.SPECIES_512
          : FloatVector.SPECIES_PREFERRED;

  /** Half as many doubles. */
  static final VectorSpecies<Double> D =
      VectorSpecies.of(double.class, VectorShape.forBitSize(F.vectorBitSize()));

  /** As many longs. */
  static final VectorSpecies<Long> COUNTS =
      VectorSpecies.of(long.class, VectorShape.forBitSize(F.vectorBitSize()));

  private static final int L = F.length();

  /** Below it e^x is no normal float; e^x is taken to be 0 there. */
  private static final float LEAST_EXPONENT = -87;

  private static final float GREATEST_EXPONENT = 88;

  /**
   * Run one after another from one place in the code, which so calls three methods and inlines
   * none: in a method with many vector operations the compiler does not keep all vectors in
   * registers, and puts the others on the heap.
   */
  private static final SoftmaxPass[] SOFTMAX = {
    VectorKernel::shift,
    (z, from, end, low, high, row) -> exponentials(z, from, end),
    (z, from, end, low, high, row) -> divideBySums(z, from, end)
  };

  private interface SoftmaxPass {
    void over(float[] z, int from, int end, float[] low, float[] high, int row);
  }

  @Override
  public int lanes() {
    return L;
  }

  @Override
  public int scratch() {
    return LINE_START + Math.max(VectorLogits.SCRATCH, VectorOuter.SCRATCH);
  }

  @Override
  public int partOfSums() {
    return VectorOuter.PART;
  }

  /** The columns of the next tile: 5 while there are as many, then 2, then 1. */
  static int tile(int left) {
    return left >= 5 ? 5 : Math.min(left, 2);
  }

  @Override
  public void logits(
      float[] x,
      int from,
      int stride,
      int width,
      int blocks,
      float[] w,
      int w0,
      int columns,
      float[] z,
      float[] scratch) {
    VectorLogits.compute(x, from, stride, width, blocks, w, w0, columns, z, scratch);
  }

  @Override
  public void addOuter(
      float[] x,
      int from,
      int stride,
      int width,
      int blocks,
      float[] z,
      int columns,
      long[] g,
      int g0,
      double grid,
      float[] scratch) {
    VectorOuter.add(x, from, stride, width, blocks, z, columns, g, g0, grid, scratch);
  }

  @Override
  public void softmax(float[] z, int from, int classes, float[] low, float[] high, int row) {
    int end = from + classes * ROWS;
    for (SoftmaxPass pass : SOFTMAX) {
      pass.over(z, from, end, low, high, row);
    }
  }

  /** Logits less their row's greatest. */
  private static void shift(float[] z, int from, int end, float[] low, float[] high, int row) {
    for (int i = 0; i < ROWS; i += L) {
      FloatVector first = FloatVector.fromArray(F, low, row + i);
      FloatVector second = FloatVector.fromArray(F, high, row + i);
      FloatVector greatest = FloatVector.broadcast(F, Float.NEGATIVE_INFINITY);
      for (int at = from + i; at < end; at += ROWS) {
        FloatVector logit = FloatVector.fromArray(F, z, at).mul(first).mul(second);
        logit.intoArray(z, at);
        greatest = greatest.max(logit);
      }
      for (int at = from + i; at < end; at += ROWS) {
        FloatVector.fromArray(F, z, at).sub(greatest).intoArray(z, at);
      }
    }
  }

  private static void divideBySums(float[] z, int from, int end) {
    for (int i = 0; i < ROWS; i += L) {
      FloatVector sum = FloatVector.zero(F);
      for (int at = from + i; at < end; at += ROWS) {
        sum = sum.add(FloatVector.fromArray(F, z, at));
      }
      for (int at = from + i; at < end; at += ROWS) {
        FloatVector.fromArray(F, z, at).div(sum).intoArray(z, at);
      }
    }
  }

  @Override
  public void logistic(float[] z, int from, float[] y, float[] low, float[] high, int row) {
    for (int i = 0; i < ROWS; i += L) {
      FloatVector.fromArray(F, z, from + i)
          .mul(FloatVector.fromArray(F, low, row + i))
          .mul(FloatVector.fromArray(F, high, row + i))
          .mul(FloatVector.fromArray(F, y, i))
          .neg()
          .intoArray(z, from + i);
    }
    exponentials(z, from, from + ROWS);
    for (int i = 0; i < ROWS; i += L) {
      FloatVector.fromArray(F, y, i)
          .div(FloatVector.fromArray(F, z, from + i).add(1))
          .intoArray(z, from + i);
    }
  }

  /**
   * Puts e^x in each x's place, to 2 units in the last place: 2^k·e^r with r in ±ln 2/2, and e^r by
   * its Taylor polynomial of degree 7 (error below 1e-8). NaN stays NaN; 0 below {@link
   * #LEAST_EXPONENT}.
   */
  private static void exponentials(float[] z, int from, int end) {
    for (int at = from; at < end; at += L) {
      FloatVector x = FloatVector.fromArray(F, z, at);
      FloatVector bounded = x.max(LEAST_EXPONENT).min(GREATEST_EXPONENT);
      // Adding 1.5·2^23 leaves the rounded integer in the low bits.
      FloatVector shifted = bounded.fma(broadcast(1.442695f), broadcast(12582912f));
      FloatVector k = shifted.sub(12582912f);
      // ln 2 in two parts, the first with few enough bits that k times it is exact.
      FloatVector r = k.fma(broadcast(-0.6933594f), bounded);
      r = k.fma(broadcast(2.1219444e-4f), r);
      FloatVector p = broadcast(1f / 5040);
      p = p.fma(r, broadcast(1f / 720));
      p = p.fma(r, broadcast(1f / 120));
      p = p.fma(r, broadcast(1f / 24));
      p = p.fma(r, broadcast(1f / 6));
      p = p.fma(r, broadcast(0.5f));
      p = p.fma(r, broadcast(1));
      p = p.fma(r, broadcast(1));
      FloatVector power =
          shifted
              .reinterpretAsInts()
              .lanewise(VectorOperators.LSHL, 23)
              .add(127 << 23)
              .reinterpretAsFloats();
      p.mul(power).blend(0, x.compare(VectorOperators.LT, LEAST_EXPONENT)).intoArray(z, at);
    }
  }

  @Override
  public void factors(
      double[] squares,
      double copies,
      double[] norms,
      double[] scales,
      int row,
      double bound,
      double unit) {
    DoubleVector limit = DoubleVector.broadcast(D, bound);
    DoubleVector none = DoubleVector.zero(D);
    for (int i = 0; i < ROWS; i += D.length()) {
      DoubleVector norm =
          DoubleVector.fromArray(D, squares, i)
              .mul(copies)
              .lanewise(VectorOperators.SQRT)
              .mul(DoubleVector.fromArray(D, norms, row + i));
      DoubleVector factor = limit.div(norm);
      none.blend(factor.min(1), factor.compare(VectorOperators.GT, 0))
          .mul(DoubleVector.fromArray(D, scales, row + i).mul(unit))
          .intoArray(squares, i);
    }
  }

  @Override
  public void squaresOfSums(double[] scaled, int columns, double[] pairs, double[] squares) {
    int end = columns * ROWS;
    for (int i = 0; i < ROWS; i += D.length()) {
      DoubleVector square = DoubleVector.zero(D);
      for (int lag = 0, pair = i; pair < pairs.length; lag++, pair += ROWS) {
        DoubleVector product = DoubleVector.zero(D);
        for (int at = i; at < end; at += ROWS) {
          product =
              DoubleVector.fromArray(D, scaled, at)
                  .mul(DoubleVector.fromArray(D, scaled, at + lag))
                  .add(product);
        }
        square = DoubleVector.fromArray(D, pairs, pair).mul(product).add(square);
      }
      square.intoArray(squares, i);
    }
  }

  private static FloatVector broadcast(float value) {
    return FloatVector.broadcast(F, value);
  }

  @Override
  public void scale(float[] z, int from, int columns, float[] factors) {
    int end = from + columns * ROWS;
    for (int i = 0; i < ROWS; i += L) {
      FloatVector factor = FloatVector.fromArray(F, factors, i);
      var none = factor.compare(VectorOperators.EQ, 0);
      for (int at = from + i; at < end; at += ROWS) {
        FloatVector.fromArray(F, z, at).mul(factor).blend(0, none).intoArray(z, at);
      }
    }
  }
}
