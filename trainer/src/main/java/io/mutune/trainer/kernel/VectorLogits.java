package io.mutune.trainer.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * x · wᵀ with features in lanes: tiles of 4 rows and at most 5 columns, whose 20 sums stay in
 * registers. Measured on JDK 17: a sum over lanes in the same method as the products makes them
 * several times slower. So the lanes are stored, and {@link VectorSums} adds them up for a whole
 * block at a time.
 */
final class VectorLogits {
  private static final int ROWS = BlockKernel.ROWS;
  private static final int TILE_ROWS = 4;
  private static final VectorSpecies<Float> F = VectorKernel.F;
  private static final int L = F.length();
  private static final int START = BlockKernel.LINE_START;

  /** From one column's sums to the next one's. */
  private static final int COLUMN = ROWS * L;

  /** The lanes of a block's sums for 5 columns. */
  static final int SCRATCH = 5 * ROWS * L;

  private VectorLogits() {}

  static void compute(
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
    for (int c = 0; c < columns; ) {
      int tile = VectorKernel.tile(columns - c);
      for (int b = 0; b < blocks; b++) {
        int at = from + b * ROWS * stride;
        for (int spread = 0; spread < ROWS * L; spread += TILE_ROWS * L) {
          switch (tile) {
            case 5 -> logits5(x, at, stride, width, w, w0 + c * width, scratch, START + spread);
            case 2 -> logits2(x, at, stride, width, w, w0 + c * width, scratch, START + spread);
            default -> logits1(x, at, stride, width, w, w0 + c * width, scratch, START + spread);
          }
          at += TILE_ROWS * stride;
        }
        VectorSums.add(scratch, START, tile * ROWS, z, (b * columns + c) * ROWS);
      }
      c += tile;
    }
  }

  /** Logits of 4 rows and 5 columns, still spread over the lanes. */
  private static void logits5(
      float[] x, int x0, int stride, int width, float[] w, int w0, float[] spread, int to) {
    int x1 = x0 + stride;
    int x2 = x1 + stride;
    int x3 = x2 + stride;
    int w1 = w0 + width;
    int w2 = w1 + width;
    int w3 = w2 + width;
    int w4 = w3 + width;
    FloatVector a00 = FloatVector.zero(F);
    FloatVector a01 = FloatVector.zero(F);
    FloatVector a02 = FloatVector.zero(F);
    FloatVector a03 = FloatVector.zero(F);
    FloatVector a10 = FloatVector.zero(F);
    FloatVector a11 = FloatVector.zero(F);
    FloatVector a12 = FloatVector.zero(F);
    FloatVector a13 = FloatVector.zero(F);
    FloatVector a20 = FloatVector.zero(F);
    FloatVector a21 = FloatVector.zero(F);
    FloatVector a22 = FloatVector.zero(F);
    FloatVector a23 = FloatVector.zero(F);
    FloatVector a30 = FloatVector.zero(F);
    FloatVector a31 = FloatVector.zero(F);
    FloatVector a32 = FloatVector.zero(F);
    FloatVector a33 = FloatVector.zero(F);
    FloatVector a40 = FloatVector.zero(F);
    FloatVector a41 = FloatVector.zero(F);
    FloatVector a42 = FloatVector.zero(F);
    FloatVector a43 = FloatVector.zero(F);
    for (int j = 0; j < width; j += L) {
      FloatVector r0 = FloatVector.fromArray(F, x, x0 + j);
      FloatVector r1 = FloatVector.fromArray(F, x, x1 + j);
      FloatVector r2 = FloatVector.fromArray(F, x, x2 + j);
      FloatVector r3 = FloatVector.fromArray(F, x, x3 + j);
      FloatVector v0 = FloatVector.fromArray(F, w, w0 + j);
      a00 = r0.fma(v0, a00);
      a01 = r1.fma(v0, a01);
      a02 = r2.fma(v0, a02);
      a03 = r3.fma(v0, a03);
      FloatVector v1 = FloatVector.fromArray(F, w, w1 + j);
      a10 = r0.fma(v1, a10);
      a11 = r1.fma(v1, a11);
      a12 = r2.fma(v1, a12);
      a13 = r3.fma(v1, a13);
      FloatVector v2 = FloatVector.fromArray(F, w, w2 + j);
      a20 = r0.fma(v2, a20);
      a21 = r1.fma(v2, a21);
      a22 = r2.fma(v2, a22);
      a23 = r3.fma(v2, a23);
      FloatVector v3 = FloatVector.fromArray(F, w, w3 + j);
      a30 = r0.fma(v3, a30);
      a31 = r1.fma(v3, a31);
      a32 = r2.fma(v3, a32);
      a33 = r3.fma(v3, a33);
      FloatVector v4 = FloatVector.fromArray(F, w, w4 + j);
      a40 = r0.fma(v4, a40);
      a41 = r1.fma(v4, a41);
      a42 = r2.fma(v4, a42);
      a43 = r3.fma(v4, a43);
    }
    a00.intoArray(spread, to);
    a01.intoArray(spread, to + L);
    a02.intoArray(spread, to + 2 * L);
    a03.intoArray(spread, to + 3 * L);
    a10.intoArray(spread, to + COLUMN);
    a11.intoArray(spread, to + COLUMN + L);
    a12.intoArray(spread, to + COLUMN + 2 * L);
    a13.intoArray(spread, to + COLUMN + 3 * L);
    a20.intoArray(spread, to + 2 * COLUMN);
    a21.intoArray(spread, to + 2 * COLUMN + L);
    a22.intoArray(spread, to + 2 * COLUMN + 2 * L);
    a23.intoArray(spread, to + 2 * COLUMN + 3 * L);
    a30.intoArray(spread, to + 3 * COLUMN);
    a31.intoArray(spread, to + 3 * COLUMN + L);
    a32.intoArray(spread, to + 3 * COLUMN + 2 * L);
    a33.intoArray(spread, to + 3 * COLUMN + 3 * L);
    a40.intoArray(spread, to + 4 * COLUMN);
    a41.intoArray(spread, to + 4 * COLUMN + L);
    a42.intoArray(spread, to + 4 * COLUMN + 2 * L);
    a43.intoArray(spread, to + 4 * COLUMN + 3 * L);
  }

  /** Logits of 4 rows and 2 columns, still spread over the lanes. */
  private static void logits2(
      float[] x, int x0, int stride, int width, float[] w, int w0, float[] spread, int to) {
    int x1 = x0 + stride;
    int x2 = x1 + stride;
    int x3 = x2 + stride;
    int w1 = w0 + width;
    FloatVector a00 = FloatVector.zero(F);
    FloatVector a01 = FloatVector.zero(F);
    FloatVector a02 = FloatVector.zero(F);
    FloatVector a03 = FloatVector.zero(F);
    FloatVector a10 = FloatVector.zero(F);
    FloatVector a11 = FloatVector.zero(F);
    FloatVector a12 = FloatVector.zero(F);
    FloatVector a13 = FloatVector.zero(F);
    for (int j = 0; j < width; j += L) {
      FloatVector r0 = FloatVector.fromArray(F, x, x0 + j);
      FloatVector r1 = FloatVector.fromArray(F, x, x1 + j);
      FloatVector r2 = FloatVector.fromArray(F, x, x2 + j);
      FloatVector r3 = FloatVector.fromArray(F, x, x3 + j);
      FloatVector v0 = FloatVector.fromArray(F, w, w0 + j);
      a00 = r0.fma(v0, a00);
      a01 = r1.fma(v0, a01);
      a02 = r2.fma(v0, a02);
      a03 = r3.fma(v0, a03);
      FloatVector v1 = FloatVector.fromArray(F, w, w1 + j);
      a10 = r0.fma(v1, a10);
      a11 = r1.fma(v1, a11);
      a12 = r2.fma(v1, a12);
      a13 = r3.fma(v1, a13);
    }
    a00.intoArray(spread, to);
    a01.intoArray(spread, to + L);
    a02.intoArray(spread, to + 2 * L);
    a03.intoArray(spread, to + 3 * L);
    a10.intoArray(spread, to + COLUMN);
    a11.intoArray(spread, to + COLUMN + L);
    a12.intoArray(spread, to + COLUMN + 2 * L);
    a13.intoArray(spread, to + COLUMN + 3 * L);
  }

  /** Logits of 4 rows and 1 column, still spread over the lanes. */
  private static void logits1(
      float[] x, int x0, int stride, int width, float[] w, int w0, float[] spread, int to) {
    int x1 = x0 + stride;
    int x2 = x1 + stride;
    int x3 = x2 + stride;
    FloatVector a00 = FloatVector.zero(F);
    FloatVector a01 = FloatVector.zero(F);
    FloatVector a02 = FloatVector.zero(F);
    FloatVector a03 = FloatVector.zero(F);
    for (int j = 0; j < width; j += L) {
      FloatVector r0 = FloatVector.fromArray(F, x, x0 + j);
      FloatVector r1 = FloatVector.fromArray(F, x, x1 + j);
      FloatVector r2 = FloatVector.fromArray(F, x, x2 + j);
      FloatVector r3 = FloatVector.fromArray(F, x, x3 + j);
      FloatVector v0 = FloatVector.fromArray(F, w, w0 + j);
      a00 = r0.fma(v0, a00);
      a01 = r1.fma(v0, a01);
      a02 = r2.fma(v0, a02);
      a03 = r3.fma(v0, a03);
    }
    a00.intoArray(spread, to);
    a01.intoArray(spread, to + L);
    a02.intoArray(spread, to + 2 * L);
    a03.intoArray(spread, to + 3 * L);
  }
}
