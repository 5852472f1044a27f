package io.mutune.trainer.score;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * A figure of some rows, and where that of the population they were drawn from lies with 95%.
 *
 * @param low at most {@code value}
 * @param high at least {@code value}
 */
public record Estimate(double value, double low, double high) {
  /** Of a normal value's 95% interval. */
  public static final double QUANTILE = 1.959963984540054;

  /**
   * A share, by Wilson's interval (1927), which stays within [0, 1] and is right near its ends too.
   *
   * @param of at least 1
   */
  static Estimate ofShare(long hits, long of) {
    return ofShare((double) hits / of, of);
  }

  /** The same of a share that need not be of whole rows. */
  static Estimate ofShare(double share, long of) {
    double square = QUANTILE * QUANTILE / of;
    double middle = (share + square / 2) / (1 + square);
    double half = Math.sqrt(share * (1 - share) * square + square * square / 4) / (1 + square);
    return new Estimate(
        share,
        Math.max(0, Math.min(share, middle - half)),
        Math.min(1, Math.max(share, middle + half)));
  }

  /**
   * A mean of so many independent numbers from 0 to {@code most}, by their sum and the sum of their
   * squares: Student's interval, of one number all that it could have been.
   */
  static Estimate ofMean(double sum, double squares, long of, double most) {
    double mean = sum / of;
    double half = half(squares - sum * mean, of);
    return new Estimate(
        mean,
        Math.min(mean, Math.max(0, mean - half)),
        Math.max(mean, Math.min(most, mean + half)));
  }

  /**
   * Half of Student's interval of a mean; infinite of one number.
   *
   * @param squares the sum of the squared distances from the mean
   */
  static double half(double squares, long of) {
    return of < 2
        ? Double.POSITIVE_INFINITY
        : new TDistribution(of - 1.0).inverseCumulativeProbability(0.975)
            * Math.sqrt(Math.max(0, squares) / (of - 1.0) / of);
  }

  /**
   * A figure from 0 to 1 with the interval of 95% of its draws, and the same turned round the
   * value.
   *
   * @param drawn sorted by this
   */
  static Estimate ofDraws(double value, double[] drawn) {
    Arrays.sort(drawn);
    double low = drawn[drawn.length / 40];
    double high = drawn[drawn.length - 1 - drawn.length / 40];
    return new Estimate(
        value,
        Math.max(0, Math.min(value, Math.min(low, 2 * value - high))),
        Math.min(1, Math.max(value, Math.max(high, 2 * value - low))));
  }

  /** The means of values and of both ends; all 0 of none. */
  static Estimate mean(List<Estimate> of) {
    double all = Math.max(1, of.size());
    return new Estimate(
        of.stream().mapToDouble(Estimate::value).sum() / all,
        of.stream().mapToDouble(Estimate::low).sum() / all,
        of.stream().mapToDouble(Estimate::high).sum() / all);
  }

  /** The same in another unit. */
  public Estimate times(double unit) {
    return new Estimate(unit * value, unit * low, unit * high);
  }
}
