package io.mutune.trainer.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Σ z ⊗ x with features in lanes: tiles of at most 5 columns and 4 vectors, whose sums over a
 * block's rows stay in registers and are then added to the whole sums. All blocks of a tile, then
 * all columns, then the next features, so that the rows' part and a tile's whole sums stay in the
 * first cache, and the whole sums are gone through in the order in which they lie.
 */
final class VectorOuter {
  private static final int TILE_VECTORS = 4;
  private static final int ROWS = BlockKernel.ROWS;
  private static final VectorSpecies<Float> F = VectorKernel.F;
  private static final VectorSpecies<Double> D = VectorKernel.D;
  private static final VectorSpecies<Long> COUNTS = VectorKernel.COUNTS;
  private static final int L = F.length();
  private static final int START = BlockKernel.LINE_START;

  /** Features of a tile. */
  static final int PART = TILE_VECTORS * L;

  /** Sums of 5 columns; half a vector more is read with them. */
  static final int SCRATCH = 5 * PART + L / 2;

  private VectorOuter() {}

  static void add(
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
    int rest = width % PART;
    int whole = width - rest;
    for (int j = 0; j < whole; j += PART) {
      for (int c = 0; c < columns; ) {
        int tile = VectorKernel.tile(columns - c);
        for (int b = 0; b < blocks; b++) {
          int rows = from + b * ROWS * stride + j;
          int residuals = (b * columns + c) * ROWS;
          switch (tile) {
            case 5 -> outer5x4(x, rows, stride, z, residuals, scratch);
            case 2 -> outer2x4(x, rows, stride, z, residuals, scratch);
            default -> outer1x4(x, rows, stride, z, residuals, scratch);
          }
          count(scratch, tile, PART, g, g0 + j * columns + c * PART, PART, grid);
        }
        c += tile;
      }
    }
    for (int j = 0; j < rest; j += L) {
      for (int c = 0; c < columns; ) {
        int tile = VectorKernel.tile(columns - c);
        for (int b = 0; b < blocks; b++) {
          int rows = from + b * ROWS * stride + whole + j;
          int residuals = (b * columns + c) * ROWS;
          switch (tile) {
            case 5 -> outer5x1(x, rows, stride, z, residuals, scratch);
            case 2 -> outer2x1(x, rows, stride, z, residuals, scratch);
            default -> outer1x1(x, rows, stride, z, residuals, scratch);
          }
          count(scratch, tile, L, g, g0 + whole * columns + c * rest + j, rest, grid);
        }
        c += tile;
      }
    }
  }

  /**
   * Adds a tile's block sums to the whole ones, each rounded to the grid first.
   *
   * @param stride from one column to the next in {@code g}
   */
  private static void count(
      float[] sums, int columns, int length, long[] g, int from, int stride, double grid) {
    DoubleVector magic = DoubleVector.broadcast(D, grid);
    long offset = Double.doubleToRawLongBits(grid);
    for (int c = 0, at = START, to = from; c < columns; c++, at += length, to += stride) {
      for (int j = 0; j < length; j += D.length()) {
        // Of a whole vector the lower half, not of half a vector: were there FloatVectors of two
        // lengths, the compiler would know less of each and put some on the heap.
        DoubleVector sum = (DoubleVector) FloatVector.fromArray(F, sums, at + j).castShape(D, 0);
        LongVector whole = LongVector.fromArray(COUNTS, g, to + j).sub(offset);
        sum.add(magic).reinterpretAsLongs().add(whole).intoArray(g, to + j);
      }
    }
  }

  /** One block's sums for 5 columns and 4 vectors of features. */
  private static void outer5x4(float[] x, int from, int stride, float[] z, int z0, float[] sums) {
    int z1 = z0 + ROWS;
    int z2 = z1 + ROWS;
    int z3 = z2 + ROWS;
    int z4 = z3 + ROWS;
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
    for (int i = 0, at = from; i < ROWS; i++, at += stride) {
      FloatVector x0 = FloatVector.fromArray(F, x, at);
      FloatVector x1 = FloatVector.fromArray(F, x, at + L);
      FloatVector x2 = FloatVector.fromArray(F, x, at + 2 * L);
      FloatVector x3 = FloatVector.fromArray(F, x, at + 3 * L);
      FloatVector s0 = FloatVector.broadcast(F, z[z0 + i]);
      a00 = x0.fma(s0, a00);
      a01 = x1.fma(s0, a01);
      a02 = x2.fma(s0, a02);
      a03 = x3.fma(s0, a03);
      FloatVector s1 = FloatVector.broadcast(F, z[z1 + i]);
      a10 = x0.fma(s1, a10);
      a11 = x1.fma(s1, a11);
      a12 = x2.fma(s1, a12);
      a13 = x3.fma(s1, a13);
      FloatVector s2 = FloatVector.broadcast(F, z[z2 + i]);
      a20 = x0.fma(s2, a20);
      a21 = x1.fma(s2, a21);
      a22 = x2.fma(s2, a22);
      a23 = x3.fma(s2, a23);
      FloatVector s3 = FloatVector.broadcast(F, z[z3 + i]);
      a30 = x0.fma(s3, a30);
      a31 = x1.fma(s3, a31);
      a32 = x2.fma(s3, a32);
      a33 = x3.fma(s3, a33);
      FloatVector s4 = FloatVector.broadcast(F, z[z4 + i]);
      a40 = x0.fma(s4, a40);
      a41 = x1.fma(s4, a41);
      a42 = x2.fma(s4, a42);
      a43 = x3.fma(s4, a43);
    }
    a00.intoArray(sums, START);
    a01.intoArray(sums, START + L);
    a02.intoArray(sums, START + 2 * L);
    a03.intoArray(sums, START + 3 * L);
    a10.intoArray(sums, START + 4 * L);
    a11.intoArray(sums, START + 5 * L);
    a12.intoArray(sums, START + 6 * L);
    a13.intoArray(sums, START + 7 * L);
    a20.intoArray(sums, START + 8 * L);
    a21.intoArray(sums, START + 9 * L);
    a22.intoArray(sums, START + 10 * L);
    a23.intoArray(sums, START + 11 * L);
    a30.intoArray(sums, START + 12 * L);
    a31.intoArray(sums, START + 13 * L);
    a32.intoArray(sums, START + 14 * L);
    a33.intoArray(sums, START + 15 * L);
    a40.intoArray(sums, START + 16 * L);
    a41.intoArray(sums, START + 17 * L);
    a42.intoArray(sums, START + 18 * L);
    a43.intoArray(sums, START + 19 * L);
  }

  /** One block's sums for 5 columns and 1 vector of features. */
  private static void outer5x1(float[] x, int from, int stride, float[] z, int z0, float[] sums) {
    int z1 = z0 + ROWS;
    int z2 = z1 + ROWS;
    int z3 = z2 + ROWS;
    int z4 = z3 + ROWS;
    FloatVector a00 = FloatVector.zero(F);
    FloatVector a10 = FloatVector.zero(F);
    FloatVector a20 = FloatVector.zero(F);
    FloatVector a30 = FloatVector.zero(F);
    FloatVector a40 = FloatVector.zero(F);
    for (int i = 0, at = from; i < ROWS; i++, at += stride) {
      FloatVector x0 = FloatVector.fromArray(F, x, at);
      FloatVector s0 = FloatVector.broadcast(F, z[z0 + i]);
      a00 = x0.fma(s0, a00);
      FloatVector s1 = FloatVector.broadcast(F, z[z1 + i]);
      a10 = x0.fma(s1, a10);
      FloatVector s2 = FloatVector.broadcast(F, z[z2 + i]);
      a20 = x0.fma(s2, a20);
      FloatVector s3 = FloatVector.broadcast(F, z[z3 + i]);
      a30 = x0.fma(s3, a30);
      FloatVector s4 = FloatVector.broadcast(F, z[z4 + i]);
      a40 = x0.fma(s4, a40);
    }
    a00.intoArray(sums, START);
    a10.intoArray(sums, START + L);
    a20.intoArray(sums, START + 2 * L);
    a30.intoArray(sums, START + 3 * L);
    a40.intoArray(sums, START + 4 * L);
  }

  /** One block's sums for 2 columns and 4 vectors of features. */
  private static void outer2x4(float[] x, int from, int stride, float[] z, int z0, float[] sums) {
    int z1 = z0 + ROWS;
    FloatVector a00 = FloatVector.zero(F);
    FloatVector a01 = FloatVector.zero(F);
    FloatVector a02 = FloatVector.zero(F);
    FloatVector a03 = FloatVector.zero(F);
    FloatVector a10 = FloatVector.zero(F);
    FloatVector a11 = FloatVector.zero(F);
    FloatVector a12 = FloatVector.zero(F);
    FloatVector a13 = FloatVector.zero(F);
    for (int i = 0, at = from; i < ROWS; i++, at += stride) {
      FloatVector x0 = FloatVector.fromArray(F, x, at);
      FloatVector x1 = FloatVector.fromArray(F, x, at + L);
      FloatVector x2 = FloatVector.fromArray(F, x, at + 2 * L);
      FloatVector x3 = FloatVector.fromArray(F, x, at + 3 * L);
      FloatVector s0 = FloatVector.broadcast(F, z[z0 + i]);
      a00 = x0.fma(s0, a00);
      a01 = x1.fma(s0, a01);
      a02 = x2.fma(s0, a02);
      a03 = x3.fma(s0, a03);
      FloatVector s1 = FloatVector.broadcast(F, z[z1 + i]);
      a10 = x0.fma(s1, a10);
      a11 = x1.fma(s1, a11);
      a12 = x2.fma(s1, a12);
      a13 = x3.fma(s1, a13);
    }
    a00.intoArray(sums, START);
    a01.intoArray(sums, START + L);
    a02.intoArray(sums, START + 2 * L);
    a03.intoArray(sums, START + 3 * L);
    a10.intoArray(sums, START + 4 * L);
    a11.intoArray(sums, START + 5 * L);
    a12.intoArray(sums, START + 6 * L);
    a13.intoArray(sums, START + 7 * L);
  }

  /** One block's sums for 2 columns and 1 vector of features. */
  private static void outer2x1(float[] x, int from, int stride, float[] z, int z0, float[] sums) {
    int z1 = z0 + ROWS;
    FloatVector a00 = FloatVector.zero(F);
    FloatVector a10 = FloatVector.zero(F);
    for (int i = 0, at = from; i < ROWS; i++, at += stride) {
      FloatVector x0 = FloatVector.fromArray(F, x, at);
      FloatVector s0 = FloatVector.broadcast(F, z[z0 + i]);
      a00 = x0.fma(s0, a00);
      FloatVector s1 = FloatVector.broadcast(F, z[z1 + i]);
      a10 = x0.fma(s1, a10);
    }
    a00.intoArray(sums, START);
    a10.intoArray(sums, START + L);
  }

  /** One block's sums for 1 column and 4 vectors of features. */
  private static void outer1x4(float[] x, int from, int stride, float[] z, int z0, float[] sums) {
    FloatVector a00 = FloatVector.zero(F);
    FloatVector a01 = FloatVector.zero(F);
    FloatVector a02 = FloatVector.zero(F);
    FloatVector a03 = FloatVector.zero(F);
    for (int i = 0, at = from; i < ROWS; i++, at += stride) {
      FloatVector x0 = FloatVector.fromArray(F, x, at);
      FloatVector x1 = FloatVector.fromArray(F, x, at + L);
      FloatVector x2 = FloatVector.fromArray(F, x, at + 2 * L);
      FloatVector x3 = FloatVector.fromArray(F, x, at + 3 * L);
      FloatVector s0 = FloatVector.broadcast(F, z[z0 + i]);
      a00 = x0.fma(s0, a00);
      a01 = x1.fma(s0, a01);
      a02 = x2.fma(s0, a02);
      a03 = x3.fma(s0, a03);
    }
    a00.intoArray(sums, START);
    a01.intoArray(sums, START + L);
    a02.intoArray(sums, START + 2 * L);
    a03.intoArray(sums, START + 3 * L);
  }

  /** One block's sums for 1 column and 1 vector of features. */
  private static void outer1x1(float[] x, int from, int stride, float[] z, int z0, float[] sums) {
    FloatVector a00 = FloatVector.zero(F);
    for (int i = 0, at = from; i < ROWS; i++, at += stride) {
      FloatVector x0 = FloatVector.fromArray(F, x, at);
      FloatVector s0 = FloatVector.broadcast(F, z[z0 + i]);
      a00 = x0.fma(s0, a00);
    }
    a00.intoArray(sums, START);
  }
}
