package io.mutune.accountant.renyi;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import java.util.function.DoubleFunction;
import java.util.function.LongPredicate;

/**
 * How much noise a budget asks for, and how many releases or how large samples it allows, by Rényi
 * accounting of any mixture of charges. Each answer keeps the budget: it is evaluated before it is
 * returned, and a hair further the budget is passed.
 */
public final class RenyiCalibration {
  /** How near to the boundary, relatively: far below what anyone can notice. */
  private static final double ACCURACY = 1e-9;

  private static final double MOST_NOISE = 0x1p60;
  private static final double LEAST_NOISE = 0x1p-30;
  private static final double LEAST_RATE = 0x1p-60;

  private RenyiCalibration() {}

  /**
   * The smallest σ that keeps the budget.
   *
   * @param costOf the cost of the whole study with a noise multiplier σ; must fall with σ
   * @throws IllegalArgumentException if no σ up to 2⁶⁰ does
   */
  public static NoiseMultiplier noise(
      Epsilon epsilon, Delta delta, DoubleFunction<RenyiDp> costOf) {
    double enough = 1;
    while (!costOf.apply(enough).keeps(epsilon, delta)) {
      enough *= 2;
      if (enough > MOST_NOISE) {
        throw new IllegalArgumentException(
            "no noise multiplier up to %s keeps epsilon %s at delta %s"
                .formatted(MOST_NOISE, epsilon.value(), delta.value()));
      }
    }
    while (enough > LEAST_NOISE && costOf.apply(enough / 2).keeps(epsilon, delta)) {
      enough /= 2;
    }
    double tooLittle = enough / 2;
    while (enough > tooLittle * (1 + ACCURACY)) {
      double middle = Math.sqrt(enough * tooLittle);
      if (costOf.apply(middle).keeps(epsilon, delta)) {
        enough = middle;
      } else {
        tooLittle = middle;
      }
    }
    requireKept(costOf.apply(enough), epsilon, delta);
    return NoiseMultiplier.of(enough);
  }

  /** The largest number of releases that keeps the budget; 0 if not even one does. */
  public static long largestCount(Epsilon epsilon, Delta delta, RenyiDp one) {
    LongPredicate fits = count -> one.times(count).keeps(epsilon, delta);
    if (!fits.test(1)) {
      return 0;
    }
    long kept = 1;
    long step = 1;
    while (step > 0 && fits.test(step)) {
      kept = step;
      step *= 2;
    }
    // The first power of two that passes the budget, or Long.MAX_VALUE, one past the last power.
    long passed = step > 0 ? step : Long.MAX_VALUE;
    if (passed == Long.MAX_VALUE && fits.test(passed)) {
      return passed;
    }
    while (passed - kept > 1) {
      long middle = kept + (passed - kept) / 2;
      if (fits.test(middle)) {
        kept = middle;
      } else {
        passed = middle;
      }
    }
    return kept;
  }

  /**
   * The largest sampling rate that keeps the budget.
   *
   * @param costOf the cost of the whole study with a sampling rate; must grow with it
   * @throws IllegalArgumentException if no rate down to 2⁻⁶⁰ does
   */
  public static double samplingRate(Epsilon epsilon, Delta delta, DoubleFunction<RenyiDp> costOf) {
    if (costOf.apply(1).keeps(epsilon, delta)) {
      return 1;
    }
    double tooMuch = 1;
    double kept = 0.5;
    while (!costOf.apply(kept).keeps(epsilon, delta)) {
      tooMuch = kept;
      kept /= 2;
      if (kept < LEAST_RATE) {
        throw new IllegalArgumentException(
            "no sampling rate down to %s keeps epsilon %s at delta %s"
                .formatted(LEAST_RATE, epsilon.value(), delta.value()));
      }
    }
    while (tooMuch > kept * (1 + ACCURACY)) {
      double middle = Math.sqrt(kept * tooMuch);
      if (costOf.apply(middle).keeps(epsilon, delta)) {
        kept = middle;
      } else {
        tooMuch = middle;
      }
    }
    requireKept(costOf.apply(kept), epsilon, delta);
    return kept;
  }

  private static void requireKept(RenyiDp cost, Epsilon epsilon, Delta delta) {
    if (!cost.keeps(epsilon, delta)) {
      throw new IllegalStateException(
          "the calibrated study does not keep epsilon %s at delta %s"
              .formatted(epsilon.value(), delta.value()));
    }
  }
}
