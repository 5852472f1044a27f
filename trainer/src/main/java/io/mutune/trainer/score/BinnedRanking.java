package io.mutune.trainer.score;

import java.util.Arrays;

/**
 * How well a model ranks the rows of one class above others, by noisy counts of both in the bins of
 * {@link LogOdds}; rows of one bin tie.
 */
final class BinnedRanking {
  private static final int BINS = LogOdds.BINS;

  private final double[] others;
  private final double[] of;
  private final double sigma;

  /**
   * @param cells {@code [2, bins]}, others first
   * @param sigma of the noise in each
   */
  BinnedRanking(double[] cells, double sigma) {
    this.others = Arrays.copyOfRange(cells, 0, BINS);
    this.of = Arrays.copyOfRange(cells, BINS, 2 * BINS);
    this.sigma = sigma;
  }

  /** The histogram of one class among those of {@link Counts#bins}. */
  static BinnedRanking of(double[] cells, int histogram, double sigma) {
    int at = histogram * 2 * BINS;
    return new BinnedRanking(Arrays.copyOfRange(cells, at, at + 2 * BINS), sigma);
  }

  /** The mean area of all histograms, each drawn towards one half as far as noise hides it. */
  static double meanAuc(double[] cells, double sigma) {
    int histograms = cells.length / (2 * BINS);
    double sum = 0;
    for (int i = 0; i < histograms; i++) {
      BinnedRanking one = of(cells, i, sigma);
      double hidden = sigma * Math.sqrt(BINS);
      double rows = Math.max(0, sum(one.of));
      double rest = Math.max(0, sum(one.others));
      double seen = rows > 0 && rest > 0 ? rows / (rows + hidden) * (rest / (rest + hidden)) : 0;
      sum += 0.5 + seen * (one.area(0.5).value() - 0.5);
    }
    return sum / histograms;
  }

  private static double sum(double[] values) {
    return Arrays.stream(values).sum();
  }

  /** The noisy number of units of the class. */
  double rows() {
    return sum(of);
  }

  double of(int bin) {
    return of[bin];
  }

  double others(int bin) {
    return others[bin];
  }

  /**
   * The area under the ROC curve of the scores as they are: its ends allow for every order of the
   * rows within a bin, its value takes half of their pairs as right.
   */
  Estimate auc() {
    return new Estimate(area(0.5).value(), area(0).low(), area(1).high());
  }

  /**
   * The area, with the interval that noise and the choice of the rows leave.
   *
   * @param ties what a pair within one bin counts
   */
  private Estimate area(double ties) {
    double pairs = sum(of) > 0 && sum(others) > 0 ? sum(of) * sum(others) : 0;
    double right = 0;
    for (int i = 0; i < BINS; i++) {
      right += of[i] * (below(others, i) + ties * others[i]);
    }
    return NoisyRatio.of(right, pairs, area -> variance(area, ties));
  }

  private static double below(double[] counts, int bin) {
    double sum = 0;
    for (int i = 0; i < bin; i++) {
      sum += counts[i];
    }
    return sum;
  }

  /** Of right pairs less the area times all pairs, by the delta method in every count. */
  private double variance(double area, double ties) {
    double variance = 0;
    for (int i = 0; i < BINS; i++) {
      double ofOne = 0;
      double ofOther = 0;
      for (int j = 0; j < BINS; j++) {
        double pair = (j < i ? 1 : j == i ? ties : 0) - area;
        double turned = (j > i ? 1 : j == i ? ties : 0) - area;
        ofOne += others[j] * pair;
        ofOther += of[j] * turned;
        variance += sigma * sigma * sigma * sigma * pair * pair;
      }
      variance += (sigma * sigma + Math.max(0, of[i])) * ofOne * ofOne;
      variance += (sigma * sigma + Math.max(0, others[i])) * ofOther * ofOther;
    }
    return Math.max(variance, Double.MIN_NORMAL);
  }
}
