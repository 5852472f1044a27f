package io.mutune.trainer.feature;

import org.jtransforms.fft.DoubleFFT_2D;

/**
 * Morlet wavelets on a periodic grid, in the frequency domain, where they are real: σ = 0.8·2^j, ξ
 * = (3π/4)/2^j, slant 4/L and the angles of Kymatio (Andreux et al. 2020), so that features agree
 * with what others publish.
 *
 * <p>A wavelet is a plane wave of frequency ξ under a Gaussian of width σ along it and σ/slant
 * across, less that Gaussian times what makes the mean 0.
 *
 * @param rows of the grid
 * @param columns of the grid
 * @param angles L
 */
record MorletFilters(int rows, int columns, int angles) {
  private static final double SIGMA = 0.8;
  private static final double XI = 3 * Math.PI / 4;

  /** Copies of the grid on either side that a filter is wrapped around from; beyond it is 0. */
  private static final int WRAPS = 2;

  /** The wavelet of scale j and angle number t, {@code [rows, columns]}, lowest frequency first. */
  double[] wavelet(int scale, int angle) {
    double sigma = SIGMA * (1 << scale);
    double theta = (angles - angles / 2 - 1 - angle) * Math.PI / angles;
    double slant = 4.0 / angles;
    double[] wave = gabor(sigma, theta, XI / (1 << scale), slant);
    double[] envelope = gabor(sigma, theta, 0, slant);
    double waveRe = 0;
    double waveIm = 0;
    double total = 0;
    for (int i = 0; i < wave.length; i += 2) {
      waveRe += wave[i];
      waveIm += wave[i + 1];
      total += envelope[i];
    }
    for (int i = 0; i < wave.length; i += 2) {
      wave[i] -= waveRe / total * envelope[i];
      wave[i + 1] -= waveIm / total * envelope[i];
    }
    new DoubleFFT_2D(rows, columns).complexForward(wave);
    double[] real = new double[rows * columns];
    for (int i = 0; i < real.length; i++) {
      real[i] = wave[2 * i];
    }
    return real;
  }

  /** Interleaved complex, wrapped around the grid. */
  private double[] gabor(double sigma, double theta, double xi, double slant) {
    double cos = Math.cos(theta);
    double sin = Math.sin(theta);
    double narrow = slant * slant;
    double xx = (cos * cos + narrow * sin * sin) / (2 * sigma * sigma);
    double xy = cos * sin * (1 - narrow) / (sigma * sigma);
    double yy = (sin * sin + narrow * cos * cos) / (2 * sigma * sigma);
    double scale = slant / (2 * Math.PI * sigma * sigma);
    double[] values = new double[2 * rows * columns];
    for (int ex = -WRAPS; ex <= WRAPS; ex++) {
      for (int ey = -WRAPS; ey <= WRAPS; ey++) {
        for (int i = 0; i < rows; i++) {
          for (int j = 0; j < columns; j++) {
            double x = i + (double) ex * rows;
            double y = j + (double) ey * columns;
            double size = scale * Math.exp(-(xx * x * x + xy * x * y + yy * y * y));
            double phase = xi * (x * cos + y * sin);
            int at = 2 * (i * columns + j);
            values[at] += size * Math.cos(phase);
            values[at + 1] += size * Math.sin(phase);
          }
        }
      }
    }
    return values;
  }

  /**
   * A filter for signals of which every 2^resolution-th value is kept: its frequencies from −½ to ½
   * of the coarser grid, the lower end included.
   */
  static double[] coarser(double[] filter, int rows, int columns, int resolution) {
    int fewRows = rows >> resolution;
    int fewColumns = columns >> resolution;
    double[] kept = new double[fewRows * fewColumns];
    for (int i = 0; i < fewRows; i++) {
      int from = 2 * i < fewRows ? i : rows - fewRows + i;
      for (int j = 0; j < fewColumns; j++) {
        int at = 2 * j < fewColumns ? j : columns - fewColumns + j;
        kept[i * fewColumns + j] = filter[from * columns + at];
      }
    }
    return kept;
  }

  /**
   * What low-passes a signal of one dimension and keeps every 2^(J − resolution)-th value but the
   * first and last, which are padding: {@code [outputs, length >> resolution]}. The Gaussian has σ
   * = 0.8·2^(J−1); in two dimensions it is the product of two of these.
   */
  static double[][] lowPass(int length, int scales, int resolution) {
    double sigma = SIGMA * (1 << (scales - 1));
    int few = length >> resolution;
    double[] taps = new double[few];
    for (int k = -few / 2; k < few - few / 2; k++) {
      double frequency = gaussianAt(length, sigma, k);
      for (int n = 0; n < few; n++) {
        taps[n] += frequency * Math.cos(2 * Math.PI * k * n / few) / few;
      }
    }
    int step = 1 << (scales - resolution);
    int outputs = few / step - 2;
    double[][] matrix = new double[outputs][few];
    for (int o = 0; o < outputs; o++) {
      for (int n = 0; n < few; n++) {
        matrix[o][n] = taps[Math.floorMod((o + 1) * step - n, few)];
      }
    }
    return matrix;
  }

  /** One frequency of the wrapped Gaussian of sum 1. */
  private static double gaussianAt(int length, double sigma, int k) {
    double sum = 0;
    for (int n = -WRAPS * length; n < (WRAPS + 1) * length; n++) {
      sum +=
          Math.exp(-n * (double) n / (2 * sigma * sigma)) * Math.cos(2 * Math.PI * k * n / length);
    }
    return sum / (Math.sqrt(2 * Math.PI) * sigma);
  }
}
