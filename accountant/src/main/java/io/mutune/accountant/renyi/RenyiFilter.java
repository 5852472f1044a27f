package io.mutune.accountant.renyi;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import java.util.Collection;

/**
 * Lets charges of any kind through while their divergences of one order add up to no more than a
 * cap.
 *
 * <p>Valid however the charges are chosen on the way, for an order and a cap that are fixed before
 * the first access (Feldman and Zrnic 2021; Lécuyer 2021); the guarantee is then the budget itself.
 * It does not choose the order afterwards, and refuses what may fail: neither is covered. Charges
 * are rounded up and the cap down.
 */
public final class RenyiFilter {
  private final double order;
  private final double cap;

  private RenyiFilter(double order, double cap) {
    this.order = order;
    this.cap = cap;
  }

  /**
   * The filter whose guarantee is (ε, δ).
   *
   * @param order above 1 and finite; {@link #orderFor} finds a good one
   * @throws IllegalArgumentException if δ is 0 or 1, or no divergence of this order, however small,
   *     keeps the budget
   */
  public static RenyiFilter of(Epsilon epsilon, Delta delta, double order) {
    if (!(order > 1) || Double.isInfinite(order)) {
      throw new IllegalArgumentException("an order must be finite and above 1; was " + order);
    }
    double logDelta = -ZeroConcentratedDp.logInverse(delta);
    // What no divergence at all would cost, taken from ε.
    double cap = -Rounding.sumUp(RenyiDp.epsilonAt(0, order, logDelta), -epsilon.value());
    if (!(cap > 0)) {
      throw new IllegalArgumentException(
          "order %s leaves no divergence to spend at epsilon %s and delta %s"
              .formatted(order, epsilon.value(), delta.value()));
    }
    return new RenyiFilter(order, cap);
  }

  /** The order at which charges like these have their least ε. */
  public static double orderFor(RenyiDp expected, Delta delta) {
    return expected.bestOrder(delta);
  }

  public double order() {
    return order;
  }

  /** The most that the divergences of {@link #order} may add up to. */
  public double cap() {
    return cap;
  }

  /** What these charges add up to. */
  public double spent(Collection<RenyiDp> charges) {
    return charges.stream().mapToDouble(this::divergence).reduce(0, (a, b) -> Rounding.up(a + b));
  }

  /** Whether {@code asked} may be charged on top of {@code spent}. */
  public boolean admits(Collection<RenyiDp> spent, RenyiDp asked) {
    return Rounding.up(spent(spent) + divergence(asked)) <= cap;
  }

  private double divergence(RenyiDp charge) {
    if (charge.failure() > 0) {
      throw new IllegalArgumentException(
          "a Rényi filter cannot hold a charge that fails with probability " + charge.failure());
    }
    return charge.curve().at(order);
  }
}
