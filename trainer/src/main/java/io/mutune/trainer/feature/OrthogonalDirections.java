package io.mutune.trainer.feature;

import io.mutune.trainer.noise.NormalStream;

/**
 * Directions in blocks of orthogonal ones, which give long rows the kernel that independent normal
 * ones give, and whose inner products with a row take d·log d operations a block and not d² (Yu et
 * al., NeurIPS 2016, structured orthogonal random features): a block is √(2γd)·HD₁HD₂HD₃, where H
 * is the normalised Hadamard matrix of the least power of two d that holds a row, and Dᵢ has random
 * signs on its diagonal. Where d is more than a row has numbers, directions are the first of d
 * numbers each and only nearly orthogonal. Has scratch, so it belongs to one thread.
 */
final class OrthogonalDirections implements RandomFourier.Products {
  private static final int FACTORS = 3;

  private final int inputs;
  private final int size;
  private final double scale;

  /** Of each block those of the factor that is applied first, then of the others. */
  private final double[] signs;

  private final double[] scratch;

  /**
   * @param count of directions; those of the last block that are beyond it are left out
   * @param inputs how long a row is
   */
  OrthogonalDirections(int count, int inputs, double gamma, NormalStream normals) {
    this.inputs = inputs;
    this.size = Math.toIntExact(size(inputs));
    this.scale = Math.sqrt(2 * gamma) / size;
    this.signs = new double[Math.toIntExact(values(count, inputs))];
    this.scratch = new double[size];
    normals.addTo(signs, 1);
    for (int i = 0; i < signs.length; i++) {
      signs[i] = signs[i] < 0 ? -1 : 1;
    }
  }

  /** How many numbers are kept for so many directions. */
  static long values(int count, int inputs) {
    long size = size(inputs);
    return (count + size - 1) / size * size * FACTORS;
  }

  /** The least power of two that is no less. */
  private static long size(int inputs) {
    return Long.highestOneBit(Math.max(1, 2L * inputs - 1));
  }

  @Override
  public void of(float[] row, int offset, double[] out) {
    for (int from = 0; from < out.length; from += size) {
      for (int i = 0; i < size; i++) {
        scratch[i] = i < inputs ? row[offset + i] : 0;
      }
      for (int factor = 0; factor < FACTORS; factor++) {
        int at = from * FACTORS + factor * size;
        for (int i = 0; i < size; i++) {
          scratch[i] *= signs[at + i];
        }
        hadamard();
      }
      for (int i = 0; i < Math.min(size, out.length - from); i++) {
        out[from + i] = scale * scratch[i];
      }
    }
  }

  /** Times √d, in place: sums and differences of pairs, ever further apart. */
  private void hadamard() {
    for (int half = 1; half < size; half *= 2) {
      for (int from = 0; from < size; from += 2 * half) {
        for (int i = from; i < from + half; i++) {
          double a = scratch[i];
          double b = scratch[i + half];
          scratch[i] = a + b;
          scratch[i + half] = a - b;
        }
      }
    }
  }
}
