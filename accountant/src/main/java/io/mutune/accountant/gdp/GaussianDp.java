package io.mutune.accountant.gdp;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Optional;

/**
 * A μ-GDP guarantee: no test tells two neighbouring data sets apart better than it tells N(0, 1)
 * from N(μ, 1) (Dong, Roth and Su 2022, Definition 2.6).
 *
 * <p>It is (ε, δ)-DP for every ε ≥ 0 with δ = Φ(−ε/μ + μ/2) − e^ε·Φ(−ε/μ − μ/2) (Corollary 2.13).
 * What is spent is rounded up and what may be spent is rounded down, each by a few units in the
 * last place; composition and its inverse are exact to the last bit in their direction.
 */
public record GaussianDp(Mu mu) {
  /** Whose ε, μ²/2 and a little, is below {@link Double#MAX_VALUE}. */
  private static final double GREATEST_MU = 1e154;

  /** No privacy loss at all. */
  public static final GaussianDp NONE = new GaussianDp(Mu.ZERO);

  /**
   * Keeps the ε of every μ up to {@link #ofBudget} at or below the budget's, although the two root
   * finders stop a few units in the last place away from their roots.
   */
  private static final double ROOM_FOR_ROUNDING = 0x1p-46;

  /** How far above {@link #ofBudget} the search of {@link #ofStated} begins, relatively. */
  private static final double ROOM_FOR_STATED = 0x1p-44;

  /** ln √(2π) and more than what rounding may do. */
  private static final double FAR_ABOVE = 1;

  public static GaussianDp of(Mu mu) {
    return new GaussianDp(mu);
  }

  /**
   * The largest μ whose guarantee is (ε, δ), rounded down.
   *
   * @throws IllegalArgumentException if δ is 0 or 1: no μ above 0, or every one, keeps the budget
   */
  public static GaussianDp ofBudget(Epsilon epsilon, Delta delta) {
    if (!(delta.value() > 0 && delta.value() < 1)) {
      throw new IllegalArgumentException(
          "a budget's delta must be above 0 and below 1; was " + delta.value());
    }
    double e = epsilon.value();
    double logDelta = Math.log(delta.value());
    // δ(ε; μ) < exp(−a²/2)/2 with a = ε/μ − μ/2 ≥ 0, and δ(ε; μ) ≤ δ(0; μ) < μ/√(2π).
    double a = Math.sqrt(-2 * logDelta);
    double low =
        Math.max(e / (Math.sqrt(a * a + 2 * e) + a), delta.value() * Math.sqrt(Math.PI / 2));
    double high = 2 * low;
    while (HockeyStick.logDeltaUp(high, e) <= logDelta) {
      high *= 2;
    }
    double root =
        PrivateSide.whereNotAbove(
            mu -> HockeyStick.logDeltaUp(mu, e) - logDelta,
            mu -> HockeyStick.logDeltaRoughly(mu, e) - logDelta,
            low,
            high);
    return new GaussianDp(Mu.of(root * (1 - ROOM_FOR_ROUNDING)));
  }

  /**
   * The guarantee to charge for a Gaussian release of which only (ε, δ) is stated: the largest μ
   * that this allows, rounded up by a few units in the last place. Its own ε, rounded down, is no
   * smaller than the one stated.
   *
   * @throws IllegalArgumentException if δ is 0 or 1
   */
  public static GaussianDp ofStated(Epsilon epsilon, Delta delta) {
    double below = ofBudget(epsilon, delta).mu().value();
    double room = ROOM_FOR_STATED;
    while (!reaches(below * (1 + room), epsilon, delta)) {
      room *= 2;
    }
    double above = below * (1 + room);
    while (above - below > 2 * Math.ulp(above)) {
      double middle = below + (above - below) / 2;
      if (reaches(middle, epsilon, delta)) {
        above = middle;
      } else {
        below = middle;
      }
    }
    return new GaussianDp(Mu.of(above));
  }

  /** Whether no smaller ε is enough for this μ; for an ε of 0, whether 0 is too little. */
  private static boolean reaches(double mu, Epsilon epsilon, Delta delta) {
    GaussianDp dp = new GaussianDp(Mu.of(mu));
    return epsilon.value() == 0
        ? dp.epsilon(delta).value() > 0
        : dp.epsilonAtMost(delta).value() >= epsilon.value();
  }

  /**
   * The smallest μ that covers every ε-DP mechanism, −2Φ⁻¹(1/(1 + e^ε)), rounded up: randomised
   * response is the worst of them, and its trade-off curve's only corner lies on the curve of μ.
   */
  public static GaussianDp ofPure(Epsilon epsilon) {
    return new GaussianDp(Mu.of(2 * NormalQuantile.oddsUp(epsilon.value())));
  }

  /**
   * {@code count} releases of L2 sensitivity {@code sensitivity} with noise N(0, σ²): μ =
   * √count·sensitivity/σ, rounded up to the next double.
   *
   * @param sensitivity in σ's unit, finite and above 0
   * @param count at least 1
   */
  public static GaussianDp ofGaussian(NoiseMultiplier sigma, double sensitivity, long count) {
    BigDecimal square = squaredSensitivity(sensitivity, count);
    return new GaussianDp(Mu.of(ExactRoot.up(square, ExactRoot.square(sigma.value()))));
  }

  /** count·sensitivity², exactly; both checked. */
  static BigDecimal squaredSensitivity(double sensitivity, long count) {
    if (!(sensitivity > 0) || Double.isInfinite(sensitivity)) {
      throw new IllegalArgumentException(
          "sensitivity must be finite and above 0; was " + sensitivity);
    }
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1; was " + count);
    }
    return ExactRoot.square(sensitivity).multiply(BigDecimal.valueOf(count));
  }

  /**
   * The guarantee of all of them together, however adaptively they were asked (Dong, Roth and Su
   * 2022, Corollary 3.3): √Σμ², rounded up to the next double. One alone is itself.
   */
  public static GaussianDp compose(Collection<GaussianDp> parts) {
    BigDecimal square =
        parts.stream().map(GaussianDp::square).reduce(BigDecimal.ZERO, BigDecimal::add);
    return new GaussianDp(Mu.of(ExactRoot.up(square, BigDecimal.ONE)));
  }

  /**
   * What composes with {@code spent} to no more than this: √(μ² − spent²), rounded down; empty if
   * more is spent already.
   */
  public Optional<GaussianDp> remaining(GaussianDp spent) {
    BigDecimal square = square().subtract(spent.square());
    return square.signum() < 0
        ? Optional.empty()
        : Optional.of(new GaussianDp(Mu.of(ExactRoot.down(square, BigDecimal.ONE))));
  }

  private BigDecimal square() {
    return ExactRoot.square(mu.value());
  }

  /** Whether a double holds its ε: not where μ² passes all of them, which protects nothing. */
  public boolean hasFiniteEpsilon() {
    return mu.value() <= GREATEST_MU;
  }

  /**
   * The smallest ε ≥ 0 with which (ε, δ) holds, rounded up; 0 where 2Φ(μ/2) − 1 ≤ δ.
   *
   * @throws IllegalArgumentException if δ is 0 and μ is not: then no ε does
   */
  public Epsilon epsilon(Delta delta) {
    double logDelta = logOf(delta);
    if (!isSurelyAbove(logDelta) && HockeyStick.logDeltaUp(mu.value(), 0) <= logDelta) {
      return Epsilon.of(0);
    }
    return Epsilon.of(EpsilonRoot.up(mu.value(), logDelta, epsilonAbove(logDelta)));
  }

  /**
   * The same ε rounded down, for saying how much may still be asked for; never a guarantee.
   *
   * @throws IllegalArgumentException if δ is 0 and μ is not
   */
  public Epsilon epsilonAtMost(Delta delta) {
    double logDelta = logOf(delta);
    if (!isSurelyAbove(logDelta) && HockeyStick.logDeltaDown(mu.value(), 0) <= logDelta) {
      return Epsilon.of(0);
    }
    return Epsilon.of(EpsilonRoot.down(mu.value(), logDelta, epsilonAbove(logDelta)));
  }

  /**
   * How much one more release of this μ may ask for: {@link #epsilonAtMost}, empty where μ is so
   * large that no double holds its ε.
   */
  public Optional<Epsilon> finiteEpsilonAtMost(Delta delta) {
    return hasFiniteEpsilon() ? Optional.of(epsilonAtMost(delta)) : Optional.empty();
  }

  /** δ(0; μ) = 2Φ(μ/2) − 1 ≥ μ·φ(μ/2), which spares the exact one where δ is far below it. */
  private boolean isSurelyAbove(double logDelta) {
    double m = mu.value();
    return Math.log(m) - m * m / 8 - FAR_ABOVE > logDelta;
  }

  /** Well above the root, since δ(ε; μ) < exp(−a²/2)/2 for ε = μ·(a + μ/2) with a ≥ 0. */
  private double epsilonAbove(double logDelta) {
    double epsilon = mu.value() * (Math.sqrt(-2 * logDelta) + mu.value() / 2);
    return Epsilon.of(epsilon * (1 + ROOM_FOR_ROUNDING)).value();
  }

  private double logOf(Delta delta) {
    if (delta.value() == 0 && mu.value() > 0) {
      throw new IllegalArgumentException("mu above 0 has no epsilon at a delta of 0");
    }
    return Math.log(delta.value());
  }

  /** The smallest δ with which (ε, δ) holds, rounded up; 0 only where μ is 0. */
  public Delta delta(Epsilon epsilon) {
    if (mu.value() == 0) {
      return Delta.of(0);
    }
    double log = HockeyStick.logDeltaUp(mu.value(), epsilon.value());
    return Delta.of(Math.min(1, Math.nextUp(Math.exp(log))));
  }

  /** The same δ rounded down: for saying where the truth is, never a guarantee. */
  public double deltaAtMost(Epsilon epsilon) {
    return mu.value() == 0
        ? 0
        : Math.max(
            0, Math.nextDown(Math.exp(HockeyStick.logDeltaDown(mu.value(), epsilon.value()))));
  }
}
