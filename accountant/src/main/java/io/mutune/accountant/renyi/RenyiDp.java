package io.mutune.accountant.renyi;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.ProfileHull;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.renyi.OrderSearch.Best;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/**
 * A Rényi guarantee: except with a probability of at most {@code failure}, the divergences are
 * bounded by {@code curve}.
 *
 * <p>An (ε, δ)-DP mechanism is one of ε-DP that fails with probability δ (Kairouz, Oh and Viswanath
 * 2015); everything else here never fails. Figures are rounded up.
 *
 * @param failure at least 0 and below 1
 */
public record RenyiDp(RenyiCurve curve, double failure) {
  /** No privacy loss at all. */
  public static final RenyiDp NONE = new RenyiDp(RenyiCurve.NONE, 0);

  /** So near to order 1 that the divergence is Kullback and Leibler's. */
  private static final double NEAR_ONE = 1 + 0x1p-30;

  public RenyiDp {
    if (!(failure >= 0 && failure < 1)) {
      throw new IllegalArgumentException(
          "a failure's probability must be at least 0 and below 1; was " + failure);
    }
  }

  /** A guarantee that never fails. */
  public static RenyiDp of(RenyiCurve curve) {
    return new RenyiDp(curve, 0);
  }

  /**
   * What the mechanism costs.
   *
   * @throws IllegalArgumentException for a selection among runs that may fail, which the theorems
   *     of private selection do not cover
   */
  public static RenyiDp of(Mechanism mechanism, Adjacency adjacency) {
    return MechanismCurves.of(mechanism, adjacency);
  }

  /** All of them together, however adaptively they were asked; each fixed beforehand. */
  public static RenyiDp compose(Collection<RenyiDp> parts) {
    return parts.stream().reduce(NONE, RenyiDp::plus);
  }

  private RenyiDp plus(RenyiDp other) {
    double both = failure + other.failure - failure * other.failure;
    return new RenyiDp(curve.plus(other.curve), Math.min(Rounding.up(both), Math.nextDown(1.0)));
  }

  /** {@code count} of these. */
  public RenyiDp times(long count) {
    double some = -Math.expm1(count * Math.log1p(-failure));
    return new RenyiDp(curve.times(count), Math.min(Rounding.up(some), Math.nextDown(1.0)));
  }

  /**
   * The smallest ε ≥ 0 that any order gives for δ: D + ln((α − 1)/α) − (ln δ + ln α)/(α − 1)
   * (Canonne, Kamath and Steinke 2020, Proposition 12).
   *
   * @throws IllegalArgumentException if δ is no larger than the failure, or no order gives a finite
   *     ε
   */
  public Epsilon epsilon(Delta delta) {
    return Epsilon.of(epsilonOrInfinity(delta));
  }

  /**
   * The same, infinite if no order gives a finite ε.
   *
   * @throws IllegalArgumentException if δ is no larger than the failure
   */
  public double epsilonOrInfinity(Delta delta) {
    double left = deltaLeft(delta);
    return distance() <= left ? 0 : least(left).bound();
  }

  /** Whether δ is above the failure, so that an ε may be asked for. */
  public boolean leaves(Delta delta) {
    return left(delta) > 0;
  }

  private double left(Delta delta) {
    return Rounding.down((delta.value() - failure) / (1 - failure));
  }

  private Best least(double deltaLeft) {
    double logDelta = Math.log(deltaLeft);
    return OrderSearch.least(order -> Math.max(0, epsilonAt(curve.at(order), order, logDelta)));
  }

  private double deltaLeft(Delta delta) {
    double left = left(delta);
    if (!(left > 0)) {
      throw new IllegalArgumentException(
          "delta must be above %s, the probability of failure; was %s"
              .formatted(failure, delta.value()));
    }
    return left;
  }

  /** The smallest δ that any order gives for ε; in [0, 1]. */
  public Delta delta(Epsilon epsilon) {
    double e = epsilon.value();
    double logDelta = OrderSearch.least(order -> logDeltaAt(curve.at(order), order, e)).bound();
    double curveDelta = Math.min(distance(), Math.nextUp(Math.exp(Math.min(0, logDelta))));
    double total = Rounding.up(failure + (1 - failure) * curveDelta);
    return Delta.of(Math.min(1, total));
  }

  /**
   * A (μ, δ₀) that covers it at every ε and in both orders of the neighbours: the least μ that is
   * found, rounded up. Far from the least of all, since a curve says little of δ at a small ε.
   *
   * @param delta0 above the failure
   * @return empty if no μ is found
   * @throws IllegalArgumentException if δ₀ is no larger than the failure
   */
  public Optional<ApproximateGaussianDp> covering(Delta delta0) {
    double beyond = epsilonOrInfinity(delta0);
    if (!(beyond <= ProfileHull.LARGEST)) {
      return Optional.empty();
    }
    double[] places = ProfileHull.places(beyond);
    double[] deltas = Arrays.stream(places).map(e -> delta(Epsilon.of(e)).value()).toArray();
    return ProfileHull.of(places, deltas, delta0).least();
  }

  /** Above the total variation distance, √(1 − e^(−KL)) (Bretagnolle and Huber 1979). */
  private double distance() {
    return distance(curve.at(NEAR_ONE));
  }

  static double distance(double divergence) {
    return Rounding.up(Math.sqrt(-Math.expm1(-divergence)));
  }

  static double epsilonAt(double divergence, double order, double logDelta) {
    double excess = order - 1;
    return Rounding.sumUp(
        divergence,
        Exponentials.logComplement(order),
        -logDelta / excess,
        -Math.log(order) / excess);
  }

  static double logDeltaAt(double divergence, double order, double epsilon) {
    double excess = order - 1;
    return Rounding.sumUp(
        excess * divergence,
        -excess * epsilon,
        excess * Exponentials.logComplement(order),
        -Math.log(order));
  }
}
