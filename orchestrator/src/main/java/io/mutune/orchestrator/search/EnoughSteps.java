package io.mutune.orchestrator.search;

import io.mutune.accountant.Mu;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Optional;

/**
 * How many steps a study takes that leaves them to its plan: the least with which its largest ν is
 * reached at half of the largest stable learning rate, or at all of it in earlier studies, since
 * more of them cost time and no privacy. In the steepest direction the noise of all steps has 1/(1
 * − η/η₁) times the variance that it has at a small rate η, with η₁ where momentum descent stops
 * being stable. From public numbers alone.
 *
 * @param count T, of every run
 * @param why in a sentence; empty where the sweep gives the number
 */
public record EnoughSteps(int count, Optional<String> why) {
  /**
   * On few rows a run of fewer steps is no faster, and gains from more of them (docs/method.md).
   */
  public static final int USUAL = 100;

  /** What a study takes at most where its sweep does not say. */
  public static final int MOST = 2000;

  /**
   * Between {@link #USUAL} and a bound, at half of the largest rate that such runs may take.
   *
   * @param scale of a run on all rows
   * @param mu of the whole budget: a run has no more of it, and so no larger radius
   * @param most the bound, at least 1; counts for more than the usual number
   */
  public static EnoughSteps of(double largestNoise, RunScale scale, Mu mu, int most) {
    return of(
        largestNoise, scale, new Rate(StabilityLimit.of(scale, most) / 2, "half of "), mu, most);
  }

  /** The same at a rate that is taken for the largest stable one. */
  public static EnoughSteps least(
      double largestNoise, RunScale scale, double rate, Mu mu, int most) {
    return of(largestNoise, scale, new Rate(rate, ""), mu, most);
  }

  /** The same at the largest rate that such runs may take. */
  public static EnoughSteps least(double largestNoise, RunScale scale, Mu mu, int most) {
    return least(largestNoise, scale, StabilityLimit.of(scale, most), mu, most);
  }

  /** As many as the sweep gives. */
  public static EnoughSteps given(int count) {
    return new EnoughSteps(count, Optional.empty());
  }

  private record Rate(double value, String share) {}

  private static EnoughSteps of(double largestNoise, RunScale scale, Rate rate, Mu mu, int most) {
    if (!scale.natural()) {
      int count = Math.min(most, USUAL);
      return new EnoughSteps(
          count, Optional.of(usual(count) + "no stable learning rate is known for the method"));
    }
    double needed = Math.ceil(scale.radius(largestNoise, mu) / rate.value);
    int count = (int) Math.min(most, Math.max(USUAL, needed));
    return new EnoughSteps(count, Optional.of(why(count, needed, largestNoise, rate)));
  }

  /** To four digits. */
  private static String shown(double value) {
    return new BigDecimal(value).round(new MathContext(4)).stripTrailingZeros().toPlainString();
  }

  private static String why(int count, double needed, double largestNoise, Rate rate) {
    String goal =
        String.format(
            Locale.ROOT,
            "a logit noise of %s at a learning rate of %s, %sthe largest that is stable, takes %.0f",
            shown(largestNoise),
            shown(rate.value),
            rate.share,
            needed);
    if (needed > count) {
      return count + " steps, the most that are allowed: " + goal;
    }
    return needed < count ? usual(count) + goal : count + " steps: " + goal;
  }

  /** Fewer than the usual number are those of a bound that the sweep sets. */
  private static String usual(int count) {
    return count
        + (count < USUAL ? " steps, the most that the sweep allows: " : " steps, as is usual: ");
  }
}
