package io.mutune.trainer.feature;

import java.util.ArrayList;
import java.util.List;

/**
 * Scattering as its definition reads: convolutions pixel by pixel and Fourier sums term by term.
 * For images of a few pixels.
 */
final class NaiveScattering {
  private record Complex(double re, double im) {}

  private final int height;
  private final int width;
  private final int scales;
  private final int angles;
  private final int rows;
  private final int columns;

  NaiveScattering(int height, int width, int scales, int angles) {
    this.height = height;
    this.width = width;
    this.scales = scales;
    this.angles = angles;
    int step = 1 << scales;
    this.rows = ((height + step) / step + 1) * step;
    this.columns = ((width + step) / step + 1) * step;
  }

  double[] of(float[] image) {
    Complex[][] x = new Complex[rows][columns];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        int row = mirror(i - (rows - height) / 2, height);
        int column = mirror(j - (columns - width) / 2, width);
        x[i][j] = new Complex(image[row * width + column], 0);
      }
    }
    List<Double> first = new ArrayList<>(average(x, 0));
    List<Double> second = new ArrayList<>();
    for (int j = 0; j < scales; j++) {
      for (int t = 0; t < angles; t++) {
        Complex[][] u = modulus(x, j, t, 0);
        first.addAll(average(u, j));
        for (int j2 = j + 1; j2 < scales; j2++) {
          for (int t2 = 0; t2 < angles; t2++) {
            second.addAll(average(modulus(u, j2, t2, j), j2));
          }
        }
      }
    }
    first.addAll(second);
    return first.stream().mapToDouble(v -> v).toArray();
  }

  private static int mirror(int at, int size) {
    if (at < 0) {
      return -at;
    }
    return at >= size ? 2 * size - 2 - at : at;
  }

  /** |u * ψ| at every second pixel for each scale gained. */
  private Complex[][] modulus(Complex[][] u, int scale, int angle, int resolution) {
    Complex[][] psi = lowered(wavelet(scale, angle), resolution);
    int step = 1 << (scale - resolution);
    Complex[][] kept = new Complex[u.length / step][u[0].length / step];
    for (int i = 0; i < kept.length; i++) {
      for (int j = 0; j < kept[0].length; j++) {
        Complex value = convolved(u, psi, i * step, j * step);
        kept[i][j] = new Complex(Math.hypot(value.re, value.im), 0);
      }
    }
    return kept;
  }

  private List<Double> average(Complex[][] u, int resolution) {
    double sigma = 0.8 * Math.pow(2, scales - 1);
    Complex[][] phi = lowered(gabor(sigma, 0, 0, 1), resolution);
    int step = 1 << (scales - resolution);
    List<Double> kept = new ArrayList<>();
    for (int i = 1; i < u.length / step - 1; i++) {
      for (int j = 1; j < u[0].length / step - 1; j++) {
        kept.add(convolved(u, phi, i * step, j * step).re);
      }
    }
    return kept;
  }

  private static Complex convolved(Complex[][] u, Complex[][] filter, int row, int column) {
    double re = 0;
    double im = 0;
    for (int i = 0; i < u.length; i++) {
      for (int j = 0; j < u[0].length; j++) {
        Complex f =
            filter[Math.floorMod(row - i, u.length)][Math.floorMod(column - j, u[0].length)];
        re += u[i][j].re * f.re - u[i][j].im * f.im;
        im += u[i][j].re * f.im + u[i][j].im * f.re;
      }
    }
    return new Complex(re, im);
  }

  private Complex[][] wavelet(int scale, int angle) {
    double sigma = 0.8 * Math.pow(2, scale);
    double theta = Math.PI * (angles - 1 - angles / 2 - angle) / angles;
    Complex[][] wave = gabor(sigma, theta, 3 * Math.PI / 4 / Math.pow(2, scale), 4.0 / angles);
    Complex[][] envelope = gabor(sigma, theta, 0, 4.0 / angles);
    Complex mean = sum(wave);
    double total = sum(envelope).re;
    Complex[][] wavelet = new Complex[rows][columns];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        double e = envelope[i][j].re / total;
        wavelet[i][j] = new Complex(wave[i][j].re - mean.re * e, wave[i][j].im - mean.im * e);
      }
    }
    return wavelet;
  }

  private static Complex sum(Complex[][] values) {
    double re = 0;
    double im = 0;
    for (Complex[] row : values) {
      for (Complex value : row) {
        re += value.re;
        im += value.im;
      }
    }
    return new Complex(re, im);
  }

  private Complex[][] gabor(double sigma, double theta, double xi, double slant) {
    Complex[][] values = new Complex[rows][columns];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        double re = 0;
        double im = 0;
        for (int a = -2; a <= 2; a++) {
          for (int b = -2; b <= 2; b++) {
            double along = (i + a * rows) * Math.cos(theta) + (j + b * columns) * Math.sin(theta);
            double across = -(i + a * rows) * Math.sin(theta) + (j + b * columns) * Math.cos(theta);
            double size =
                Math.exp(-(along * along + slant * slant * across * across) / (2 * sigma * sigma))
                    * slant
                    / (2 * Math.PI * sigma * sigma);
            re += size * Math.cos(xi * along);
            im += size * Math.sin(xi * along);
          }
        }
        values[i][j] = new Complex(re, im);
      }
    }
    return values;
  }

  /**
   * The filter for a grid with every 2^resolution-th pixel: its low frequencies, summed up again. A
   * Morlet's and a Gaussian's frequencies are real.
   */
  private Complex[][] lowered(Complex[][] filter, int resolution) {
    int fewRows = rows >> resolution;
    int fewColumns = columns >> resolution;
    double[][] response = new double[fewRows][fewColumns];
    for (int k = 0; k < fewRows; k++) {
      for (int l = 0; l < fewColumns; l++) {
        int row = centred(k, fewRows);
        int column = centred(l, fewColumns);
        for (int i = 0; i < rows; i++) {
          for (int j = 0; j < columns; j++) {
            double phase = 2 * Math.PI * ((double) row * i / rows + (double) column * j / columns);
            response[k][l] += filter[i][j].re * Math.cos(phase) + filter[i][j].im * Math.sin(phase);
          }
        }
      }
    }
    Complex[][] lowered = new Complex[fewRows][fewColumns];
    for (int i = 0; i < fewRows; i++) {
      for (int j = 0; j < fewColumns; j++) {
        double re = 0;
        double im = 0;
        for (int k = 0; k < fewRows; k++) {
          for (int l = 0; l < fewColumns; l++) {
            double phase = 2 * Math.PI * ((double) k * i / fewRows + (double) l * j / fewColumns);
            re += response[k][l] * Math.cos(phase);
            im += response[k][l] * Math.sin(phase);
          }
        }
        lowered[i][j] = new Complex(re / (fewRows * fewColumns), im / (fewRows * fewColumns));
      }
    }
    return lowered;
  }

  /** From −size/2 up to below size/2. */
  private static int centred(int k, int size) {
    return 2 * k < size ? k : k - size;
  }
}
