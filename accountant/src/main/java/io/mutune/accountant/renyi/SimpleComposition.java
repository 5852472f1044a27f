package io.mutune.accountant.renyi;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;

/**
 * The older rules for k adaptive releases, each (ε, δ)-DP: for comparison, and where nothing more
 * is known. Rounded up.
 *
 * @param epsilon of all together
 * @param delta of all together
 */
public record SimpleComposition(Epsilon epsilon, Delta delta) {
  /** kε and kδ (Dwork et al. 2006). */
  public static SimpleComposition basic(Epsilon epsilon, Delta delta, long count) {
    requireCount(count);
    return new SimpleComposition(
        Epsilon.of(productUp(epsilon.value(), count)),
        Delta.of(Math.min(1, productUp(delta.value(), count))));
  }

  /**
   * √(2k·ln(1/δ'))·ε + kε(e^ε − 1) and kδ + δ' (Dwork, Rothblum and Vadhan 2010, Theorem III.3);
   * often above {@link #basic}.
   *
   * @param slack δ', above 0 and below 1
   * @throws IllegalArgumentException if δ' is out of range or ε so large that its bound overflows
   */
  public static SimpleComposition advanced(Epsilon epsilon, Delta delta, long count, Delta slack) {
    requireCount(count);
    double e = epsilon.value();
    double total =
        Math.sqrt(2.0 * count * ZeroConcentratedDp.logInverse(slack)) * e
            + count * e * Math.expm1(e);
    double failure = Rounding.up(count * delta.value() + slack.value());
    return new SimpleComposition(Epsilon.of(Rounding.up(total)), Delta.of(Math.min(1, failure)));
  }

  private static double productUp(double value, long count) {
    return count == 1 ? value : Rounding.up(value * count);
  }

  private static void requireCount(long count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1; was " + count);
    }
  }
}
