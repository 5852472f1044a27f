package io.mutune.accountant.gdp;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Optional;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.InverseErfc;

/**
 * A (μ, δ₀)-GDP guarantee: μ-GDP but for a probability of δ₀, with which everything may be
 * revealed. For every t = e^ε from 0 to ∞, and for both orders of two neighbouring data sets, the
 * hockey-stick divergence is at most δ₀ + (1 − δ₀)·δ(ε; μ).
 *
 * <p>A δ₀ of 0 is {@link GaussianDp}, with the same figures to the last bit. What is spent is
 * rounded up and what may be spent is rounded down.
 */
public record ApproximateGaussianDp(Mu mu, Delta delta0) {
  /** No privacy loss at all. */
  public static final ApproximateGaussianDp NONE = of(GaussianDp.NONE);

  /** Well above what the special functions and a handful of operations may be off by. */
  private static final double ROOM_IN_MISSES = 0x1p-30;

  /** Bounds the relative rounding of a handful of operations. */
  private static final double ROUNDING = 0x1p-50;

  /** A Gaussian guarantee that never fails. */
  public static ApproximateGaussianDp of(GaussianDp gaussian) {
    return new ApproximateGaussianDp(gaussian.mu(), Delta.of(0));
  }

  /**
   * The largest μ beside this δ₀ whose guarantee is (ε, δ), rounded down.
   *
   * @param delta0 at least 0 and below {@code delta}
   * @throws IllegalArgumentException if it is not, or δ is 0 or 1
   */
  public static ApproximateGaussianDp ofBudget(Epsilon epsilon, Delta delta, Delta delta0) {
    double left = left(delta.value(), delta0.value());
    if (!(left > 0)) {
      throw new IllegalArgumentException(
          "delta0 must be below delta %s; was %s".formatted(delta.value(), delta0.value()));
    }
    return new ApproximateGaussianDp(GaussianDp.ofBudget(epsilon, Delta.of(left)).mu(), delta0);
  }

  /**
   * All of them together, however adaptively they were asked: √Σμ² and Σδ₀ ≥ 1 − Π(1 − δ₀), each
   * rounded up to the next double.
   */
  public static ApproximateGaussianDp compose(Collection<ApproximateGaussianDp> parts) {
    BigDecimal failures =
        parts.stream()
            .map(part -> new BigDecimal(part.delta0.value()))
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    return new ApproximateGaussianDp(
        GaussianDp.compose(parts.stream().map(ApproximateGaussianDp::gaussian).toList()).mu(),
        Delta.of(Math.min(1, up(failures))));
  }

  /**
   * What composes with {@code spent} to no more than this, each figure rounded down; empty if more
   * of either is spent already.
   */
  public Optional<ApproximateGaussianDp> remaining(ApproximateGaussianDp spent) {
    BigDecimal failures =
        new BigDecimal(delta0.value()).subtract(new BigDecimal(spent.delta0.value()));
    return failures.signum() < 0
        ? Optional.empty()
        : gaussian()
            .remaining(spent.gaussian())
            .map(left -> new ApproximateGaussianDp(left.mu(), Delta.of(down(failures))));
  }

  /** Whether whatever has the other guarantee has this one: neither figure is larger. */
  public boolean covers(ApproximateGaussianDp other) {
    return other.mu.value() <= mu.value() && other.delta0.value() <= delta0.value();
  }

  /** What holds but for the failure. */
  public GaussianDp gaussian() {
    return GaussianDp.of(mu);
  }

  /** Whether this δ has an ε that a double holds: it is above δ₀, or μ is 0. */
  public boolean hasFiniteEpsilon(Delta delta) {
    double left = left(delta.value(), delta0.value());
    return gaussian().hasFiniteEpsilon() && (left > 0 || (left == 0 && mu.value() == 0));
  }

  /** The smallest δ with which (ε, δ) holds, rounded up. */
  public Delta delta(Epsilon epsilon) {
    double rest = gaussian().delta(epsilon).value();
    return delta0.value() == 0
        ? Delta.of(rest)
        : Delta.of(Math.min(1, (delta0.value() + (1 - delta0.value()) * rest) * (1 + ROUNDING)));
  }

  /**
   * The smallest ε ≥ 0 with which (ε, δ) holds, rounded up.
   *
   * @throws IllegalArgumentException if δ is not above δ₀ and μ is above 0, or δ is below δ₀: then
   *     no ε does
   */
  public Epsilon epsilon(Delta delta) {
    return gaussian().epsilon(left(delta));
  }

  /**
   * The trade-off curve (Dong, Roth and Su 2022, Definition 2.1): how often a test for one row must
   * miss it, at least, that finds it where it is not in a share α of cases: Φ(Φ⁻¹(1 − α) − μ), and
   * with δ₀ the same of α/(1 − δ₀), times 1 − δ₀. Rounded down.
   *
   * @param falseAlarms α, from 0 to 1
   */
  public double misses(double falseAlarms) {
    double part = falseAlarms / (1 - delta0.value()) * (1 + ROUNDING);
    if (!(part < 1)) {
      return 0;
    }
    double cut = Math.sqrt(2) * InverseErfc.value(2 * part);
    double misses =
        part == 0
            ? 1
            : mu.value() == 0 ? 1 - part : Erfc.value((mu.value() - cut) / Math.sqrt(2)) / 2;
    double least = (1 - delta0.value()) * misses;
    return least == 1 ? 1 : least * (1 - ROOM_IN_MISSES);
  }

  private Delta left(Delta delta) {
    double left = left(delta.value(), delta0.value());
    if (left < 0 || (left == 0 && mu.value() > 0)) {
      throw new IllegalArgumentException(
          "mu above 0 has no epsilon at a delta of %s, which is no more than delta0 %s"
              .formatted(delta.value(), delta0.value()));
    }
    return Delta.of(left);
  }

  /** (δ − δ₀)/(1 − δ₀), rounded down; δ itself where δ₀ is 0. */
  private static double left(double delta, double delta0) {
    return delta0 == 0 ? delta : (delta - delta0) / (1 - delta0) * (1 - ROUNDING);
  }

  private static double up(BigDecimal exact) {
    double near = exact.doubleValue();
    return new BigDecimal(near).compareTo(exact) < 0 ? Math.nextUp(near) : near;
  }

  private static double down(BigDecimal exact) {
    double near = exact.doubleValue();
    return new BigDecimal(near).compareTo(exact) > 0 ? Math.nextDown(near) : near;
  }
}
