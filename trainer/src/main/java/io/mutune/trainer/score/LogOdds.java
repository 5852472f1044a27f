package io.mutune.trainer.score;

import io.mutune.trainer.loss.Link;

/**
 * By what rows are ranked for a class, and the public bins that this is told apart in: where there
 * are probabilities it is the logarithm of the odds of the class, which still differs where
 * probabilities are all 1; else the logit of the class, or how far it is ahead.
 */
final class LogOdds {
  /** Bins end at −4, −3, … and 4, of which each belongs to the bin below it. */
  static final int BINS = 10;

  private static final int FIRST_END = -4;
  private static final double GREATEST = 1e100;

  private LogOdds() {}

  /** Logits that are finite numbers, in place. */
  static double[] finite(double[] logits) {
    for (int c = 0; c < logits.length; c++) {
      logits[c] = Double.isNaN(logits[c]) ? 0 : Math.max(-GREATEST, Math.min(GREATEST, logits[c]));
    }
    return logits;
  }

  /**
   * Of a class.
   *
   * @param logits finite
   */
  static double of(double[] logits, int c, Link link) {
    if (logits.length == 1) {
      return c == 1 ? logits[0] : -logits[0];
    }
    if (link == Link.NONE) {
      return logits[c];
    }
    double greatest = Double.NEGATIVE_INFINITY;
    for (int other = 0; other < logits.length; other++) {
      greatest = other == c ? greatest : Math.max(greatest, logits[other]);
    }
    double sum = 0;
    for (int other = 0; other < logits.length; other++) {
      sum += other == c ? 0 : Math.exp(logits[other] - greatest);
    }
    return logits[c] - greatest - Math.log(sum);
  }

  /** The bin of a number, counted from the lowest. */
  static int bin(double logOdds) {
    int bin = 0;
    while (bin < BINS - 1 && logOdds > FIRST_END + bin) {
      bin++;
    }
    return bin;
  }

  /** The least probability of a bin, 0 of the lowest. */
  static double low(int bin) {
    return bin == 0 ? 0 : probability(FIRST_END + bin - 1);
  }

  /** The greatest, 1 of the highest. */
  static double high(int bin) {
    return bin == BINS - 1 ? 1 : probability(FIRST_END + bin);
  }

  /** One that stands for a bin: that of the middle of its odds. */
  static double middle(int bin) {
    return probability(FIRST_END + bin - 0.5);
  }

  private static double probability(double logOdds) {
    return 1 / (1 + Math.exp(-logOdds));
  }
}
