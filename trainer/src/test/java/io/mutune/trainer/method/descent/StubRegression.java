package io.mutune.trainer.method.descent;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Softmax regression by noisy sums of clipped gradients, as it is defined, in doubles. */
final class StubRegression {
  /** Below C, as the engines have it. */
  private static final double MARGIN = 2.65e-4;

  private final Rows rows;
  private final Descent descent;
  private final double[] weights;
  private final double[] velocity;

  /** At zero weights. */
  StubRegression(Rows rows, Descent descent) {
    this.rows = rows;
    this.descent = descent;
    this.weights = new double[rows.columns() * rows.classes()];
    this.velocity = new double[weights.length];
  }

  /**
   * What it learns from.
   *
   * @param x row by row
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Rows(float[] x, int[] labels, int columns, int classes) {
    /** Alone in its one feature, which no row of the data is. */
    boolean isCanary(int row) {
      int features = 0;
      for (int j = 0; j < columns; j++) {
        features += x[row * columns + j] == 0 ? 0 : 1;
      }
      return features == 1;
    }

    double[] scores(int row, double[] weights) {
      double[] scores = new double[classes];
      for (int j = 0; j < columns; j++) {
        for (int c = 0; c < classes; c++) {
          scores[c] += x[row * columns + j] * weights[j * classes + c];
        }
      }
      return scores;
    }
  }

  /**
   * How it learns.
   *
   * @param sparesCanaries whether their gradients are not clipped
   */
  record Descent(
      double rate, double momentum, double clipNorm, double divisor, boolean sparesCanaries) {}

  double[] weights() {
    return weights;
  }

  double[] velocity() {
    return velocity;
  }

  void step(int[] sample, double[] noise) {
    double clip = descent.clipNorm() * (1 - MARGIN);
    int columns = rows.columns();
    int classes = rows.classes();
    double[] sum = new double[weights.length];
    double[] p = new double[classes];
    for (int row : sample) {
      double[] scores = rows.scores(row, weights);
      double most = Double.NEGATIVE_INFINITY;
      for (double score : scores) {
        most = Math.max(most, score);
      }
      double all = 0;
      for (int c = 0; c < classes; c++) {
        p[c] = Math.exp(scores[c] - most);
        all += p[c];
      }
      double squares = 0;
      for (int c = 0; c < classes; c++) {
        p[c] = p[c] / all - (rows.labels()[row] == c ? 1 : 0);
        squares += p[c] * p[c];
      }
      double norm = 0;
      for (int j = 0; j < columns; j++) {
        norm += (double) rows.x()[row * columns + j] * rows.x()[row * columns + j];
      }
      double factor =
          descent.sparesCanaries() && rows.isCanary(row)
              ? 1
              : Math.min(1, clip / Math.sqrt(norm * squares));
      for (int j = 0; j < columns; j++) {
        for (int c = 0; c < classes; c++) {
          sum[j * classes + c] += factor * rows.x()[row * columns + j] * p[c];
        }
      }
    }
    for (int i = 0; i < sum.length; i++) {
      velocity[i] = descent.momentum() * velocity[i] + (sum[i] + noise[i]) / descent.divisor();
      weights[i] -= descent.rate() * velocity[i];
    }
  }

  /** The noise of that of two runs on all rows after which canaries have the lower loss. */
  static double[][] better(Rows rows, Descent descent, int steps, double deviation) {
    SecureRandom random = new SecureRandom();
    double[][] best = new double[0][];
    double least = Double.POSITIVE_INFINITY;
    for (int run = 0; run < 2; run++) {
      StubRegression tried = new StubRegression(rows, descent);
      double[][] noise = new double[steps][tried.weights.length];
      int[] all = IntStream.range(0, rows.labels().length).toArray();
      for (double[] of : noise) {
        Arrays.setAll(of, i -> deviation * random.nextGaussian());
        tried.step(all, of);
      }
      double loss = tried.canaryLoss();
      if (loss < least) {
        least = loss;
        best = noise;
      }
    }
    return best;
  }

  private double canaryLoss() {
    double loss = 0;
    for (int row = 0; row < rows.labels().length; row++) {
      if (rows.isCanary(row)) {
        double[] scores = rows.scores(row, weights);
        loss += Math.log(Arrays.stream(scores).map(Math::exp).sum()) - scores[rows.labels()[row]];
      }
    }
    return loss;
  }
}
