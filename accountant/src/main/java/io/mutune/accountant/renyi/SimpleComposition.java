package io.mutune.accountant.renyi;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import java.util.Collection;

/**
 * The older rules for k adaptive releases, each (ε, δ)-DP: for comparison, and where nothing more
 * is known. Rounded up.
 *
 * @param epsilon of all together
 * @param delta of all together
 */
public record SimpleComposition(Epsilon epsilon, Delta delta) {
  /**
   * {@code count} releases that are each (ε, δ)-DP.
   *
   * @param count at least 1
   */
  public record Release(Epsilon epsilon, Delta delta, long count) {
    public Release {
      if (count < 1) {
        throw new IllegalArgumentException("count must be at least 1; was " + count);
      }
    }
  }

  /** Σε and Σδ (Dwork et al. 2006). */
  public static SimpleComposition basic(Collection<Release> releases) {
    double epsilon = 0;
    for (Release release : releases) {
      epsilon = sumUp(epsilon, productUp(release.epsilon().value(), release.count()));
    }
    return new SimpleComposition(Epsilon.of(epsilon), Delta.of(Math.min(1, deltas(releases))));
  }

  /**
   * Σε·tanh(ε/2) + √(2·ln(1/δ')·Σε²) and Σδ + δ' for releases that may differ (Kairouz, Oh and
   * Viswanath 2015, Theorem 3.5, its third term). Randomised response stands for each release: its
   * loss is ±ε with mean ε·tanh(ε/2), and Hoeffding bounds the sum. For k that are alike never
   * above √(2k·ln(1/δ'))·ε + kε(e^ε − 1) (Dwork, Rothblum and Vadhan 2010, Theorem III.3).
   *
   * @param slack δ', above 0 and below 1
   * @throws IllegalArgumentException if δ' is out of range or the bound overflows
   */
  public static SimpleComposition advanced(Collection<Release> releases, Delta slack) {
    double mean = 0;
    double squares = 0;
    for (Release release : releases) {
      double e = release.epsilon().value();
      if (e > 0) {
        mean = sumUp(mean, Rounding.upAboveZero(release.count() * e * Math.tanh(e / 2)));
        squares = sumUp(squares, Rounding.upAboveZero(release.count() * e * e));
      }
    }
    double deviation = Math.sqrt(2 * ZeroConcentratedDp.logInverse(slack) * squares);
    return new SimpleComposition(
        Epsilon.of(Rounding.up(mean + deviation)),
        Delta.of(Math.min(1, sumUp(deltas(releases), slack.value()))));
  }

  private static double deltas(Collection<Release> releases) {
    double delta = 0;
    for (Release release : releases) {
      delta = sumUp(delta, productUp(release.delta().value(), release.count()));
    }
    return delta;
  }

  /** A sum of two, exactly where one of them is 0. */
  private static double sumUp(double a, double b) {
    return a == 0 || b == 0 ? a + b : Math.nextUp(a + b);
  }

  private static double productUp(double value, long count) {
    return count == 1 ? value : Rounding.up(value * count);
  }
}
