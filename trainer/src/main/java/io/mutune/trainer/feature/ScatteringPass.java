package io.mutune.trainer.feature;

import java.util.Arrays;
import org.jtransforms.fft.DoubleFFT_2D;

/**
 * The arithmetic of {@link Scattering} for one channel at a time, in double, with all its filters
 * and scratch. The image is reflected outwards to a whole number of 2^J pixels, filtered in the
 * frequency domain, and what a filter has made smooth goes on at half, quarter … the resolution.
 */
final class ScatteringPass {
  private final int scales;
  private final int angles;
  private final int height;
  private final int width;
  private final int rows;
  private final int columns;

  /** Spectra, what is filtered and its modulus, and those of a wavelet while it is made. */
  private static final int PLANES = 16;

  /** {@code [resolution][scale][angle]}; a resolution has the scales above it, 0 has all. */
  private final double[][][][] wavelets;

  private final double[][][] lowPassRows;
  private final double[][][] lowPassColumns;
  private final DoubleFFT_2D[] transforms;

  private final double[] spectrum;
  private final double[][] firstSpectra;
  private final double[] filtered;
  private final double[] modulus;
  private final double[] half;

  ScatteringPass(Scattering scattering) {
    scales = scattering.scales();
    angles = scattering.angles();
    height = scattering.image().height();
    width = scattering.image().width();
    rows = padded(height, scales);
    columns = padded(width, scales);
    wavelets = new double[scales][scales][angles][];
    lowPassRows = new double[scales][][];
    lowPassColumns = new double[scales][][];
    transforms = new DoubleFFT_2D[scales];
    firstSpectra = new double[scales][];
    for (int r = 0; r < scales; r++) {
      lowPassRows[r] = MorletFilters.lowPass(rows, scales, r);
      lowPassColumns[r] = MorletFilters.lowPass(columns, scales, r);
      transforms[r] = new DoubleFFT_2D(rows >> r, columns >> r);
      firstSpectra[r] = new double[2 * (rows >> r) * (columns >> r)];
    }
    MorletFilters filters = new MorletFilters(rows, columns, angles);
    for (int j = 0; j < scales; j++) {
      for (int t = 0; t < angles; t++) {
        double[] full = filters.wavelet(j, t);
        for (int r = 0; r <= Math.max(0, j - 1); r++) {
          wavelets[r][j][t] = MorletFilters.coarser(full, rows, columns, r);
        }
      }
    }
    spectrum = new double[2 * rows * columns];
    filtered = new double[2 * rows * columns];
    modulus = new double[rows * columns];
    half = new double[(height >> scales) * columns];
  }

  /** Kymatio's size: room for 2^J pixels on both sides, and whole steps of 2^J. */
  private static int padded(int size, int scales) {
    return ((size >> scales) + 2) << scales;
  }

  /** About how many bytes one takes: wavelets at all resolutions, and some planes. */
  static double bytes(Scattering scattering) {
    double plane =
        (double) padded(scattering.image().height(), scattering.scales())
            * padded(scattering.image().width(), scattering.scales());
    double wavelets = scattering.scales() * scattering.angles() * 4 / 3.0;
    return Double.BYTES * plane * (wavelets + PLANES);
  }

  /**
   * @param in row-major pixels from {@code inOffset}
   * @param mirror whether they are read from right to left
   * @param out maps from {@code outOffset}
   */
  void apply(float[] in, int inOffset, boolean mirror, float[] out, int outOffset) {
    int map = (height >> scales) * (width >> scales);
    pad(in, inOffset, mirror);
    average(modulus, 0, out, outOffset);
    toSpectrum(modulus, spectrum, 0);
    int second = outOffset + map * (1 + scales * angles);
    int first = outOffset + map;
    for (int j = 0; j < scales; j++) {
      for (int t = 0; t < angles; t++, first += map) {
        toModulus(spectrum, wavelets[0][j][t], 0, j);
        average(modulus, j, out, first);
        if (j < scales - 1) {
          toSpectrum(modulus, firstSpectra[j], j);
          second = secondLayer(firstSpectra[j], j, out, second, map);
        }
      }
    }
  }

  private int secondLayer(double[] from, int j, float[] out, int start, int map) {
    int at = start;
    for (int finer = j + 1; finer < scales; finer++) {
      for (int t = 0; t < angles; t++, at += map) {
        toModulus(from, wavelets[j][finer][t], j, finer);
        average(modulus, finer, out, at);
      }
    }
    return at;
  }

  /** Continues the image beyond its outermost pixels, which are not repeated, by reflection. */
  private void pad(float[] in, int inOffset, boolean mirror) {
    int top = (rows - height) / 2;
    int left = (columns - width) / 2;
    for (int i = 0; i < rows; i++) {
      int from = inOffset + reflected(i - top, height) * width;
      for (int j = 0; j < columns; j++) {
        int column = reflected(j - left, width);
        modulus[i * columns + j] = in[from + (mirror ? width - 1 - column : column)];
      }
    }
  }

  private static int reflected(int at, int size) {
    int inside = Math.abs(at);
    return inside < size ? inside : 2 * (size - 1) - inside;
  }

  private void toSpectrum(double[] real, double[] complex, int resolution) {
    for (int i = 0; i < complex.length / 2; i++) {
      complex[2 * i] = real[i];
      complex[2 * i + 1] = 0;
    }
    transforms[resolution].complexForward(complex);
  }

  /**
   * Filters a signal of resolution {@code from}, keeps what resolution {@code to} needs, and takes
   * the modulus of each value. Keeping every k-th value of a signal is averaging the k × k parts of
   * its spectrum.
   */
  private void toModulus(double[] signal, double[] filter, int from, int to) {
    int manyColumns = columns >> from;
    int fewRows = rows >> to;
    int fewColumns = columns >> to;
    int k = 1 << (to - from);
    double share = 1.0 / (k * k);
    for (int i = 0; i < fewRows; i++) {
      int target = 2 * i * fewColumns;
      Arrays.fill(filtered, target, target + 2 * fewColumns, 0);
      for (int a = 0; a < k; a++) {
        int line = (i + a * fewRows) * manyColumns;
        for (int b = 0; b < k; b++) {
          addProducts(signal, filter, line + b * fewColumns, target, fewColumns, share);
        }
      }
    }
    transforms[to].complexInverse(filtered, true);
    for (int i = 0; i < fewRows * fewColumns; i++) {
      double re = filtered[2 * i];
      double im = filtered[2 * i + 1];
      modulus[i] = Math.sqrt(re * re + im * im);
    }
  }

  private void addProducts(
      double[] signal, double[] filter, int from, int target, int count, double share) {
    for (int n = 0; n < count; n++) {
      double gain = share * filter[from + n];
      filtered[target + 2 * n] += gain * signal[2 * (from + n)];
      filtered[target + 2 * n + 1] += gain * signal[2 * (from + n) + 1];
    }
  }

  /** The Gaussian average at every 2^J-th pixel: a product with a matrix on either side. */
  private void average(double[] values, int resolution, float[] out, int outOffset) {
    double[][] left = lowPassRows[resolution];
    double[][] right = lowPassColumns[resolution];
    int many = columns >> resolution;
    for (int o = 0; o < left.length; o++) {
      int start = o * many;
      Arrays.fill(half, start, start + many, 0);
      for (int i = 0; i < rows >> resolution; i++) {
        double weight = left[o][i];
        int from = i * many;
        for (int j = 0; j < many; j++) {
          half[start + j] += weight * values[from + j];
        }
      }
      for (int p = 0; p < right.length; p++) {
        double sum = 0;
        for (int j = 0; j < many; j++) {
          sum += right[p][j] * half[start + j];
        }
        out[outOffset + o * right.length + p] = (float) sum;
      }
    }
  }
}
