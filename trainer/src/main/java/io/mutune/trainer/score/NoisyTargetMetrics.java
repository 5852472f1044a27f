package io.mutune.trainer.score;

import java.util.Optional;

/**
 * Figures of a model of real targets from noisy sums of {@link Counts#squares}; targets are from −1
 * to 1, as are predictions. The interval of each is what the noise, and the choice of the rows from
 * their population, leave with 95%.
 *
 * @param units the public number of units
 * @param sigma σ of the noise in every sum
 * @param errors the noisy sum of squared errors over 4
 * @param targets that of (1 + target) / 2
 * @param squares that of squared targets
 */
public record NoisyTargetMetrics(
    PublicUnits units, double sigma, double errors, double targets, double squares) {

  /** What follows from released sums. */
  public static NoisyTargetMetrics of(PublicUnits units, double sigma, double[] released) {
    return new NoisyTargetMetrics(units, sigma, released[0], released[1], released[2]);
  }

  /** The mean squared error, from 0 to 4. */
  public Estimate square() {
    return mean(errors).times(4);
  }

  /** That of saying 0 always, the middle of the public bounds. */
  public Estimate baseline() {
    return mean(squares);
  }

  private Estimate mean(double sum) {
    return NoisyTestMetrics.accuracy(sum, sigma, units);
  }

  /**
   * 1 − {@link #square} over the variance of the targets. Each end is that of the worst errors and
   * variances, which together hold with 95% as each does with 97.5%; empty where noise hides
   * whether targets vary at all.
   */
  public Optional<Estimate> r2() {
    double variance = variance();
    double deviation = Math.sqrt(varianceOfVariance());
    if (variance <= WIDE * deviation) {
      return Optional.empty();
    }
    double error = 4 * errors / units.count();
    double off = 4 * WIDE * Math.sqrt(spread(errors)) / units.count();
    double least = variance - WIDE * deviation;
    double most = variance + WIDE * deviation;
    double high = 1 - Math.max(0, error - off) / most;
    double low = 1 - Math.max(0, error + off) / least;
    double value = Math.max(low, Math.min(high, 1 - Math.max(0, error) / variance));
    return Optional.of(new Estimate(value, low, high));
  }

  /** Of a normal value's interval of 97.5%. */
  private static final double WIDE = 2.241402727604947;

  private double meanTarget() {
    return 2 * targets / units.count() - 1;
  }

  private double variance() {
    return squares / units.count() - meanTarget() * meanTarget();
  }

  /** Of a noisy sum of measures from 0 to 1: the noise's, and at most that of the rows. */
  private double spread(double sum) {
    double share = Math.max(0, Math.min(1, sum / units.count()));
    return sigma * sigma + units.variance(share);
  }

  /** By the delta method; the deviations of both sums add up, however they depend on each other. */
  private double varianceOfVariance() {
    double sum =
        Math.sqrt(spread(squares)) + 4 * Math.abs(meanTarget()) * Math.sqrt(spread(targets));
    return sum * sum / units.count() / units.count();
  }
}
