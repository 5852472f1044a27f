package io.mutune.accountant.renyi;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.Collection;

/**
 * ρ-zCDP: the divergence of every order α is at most ρα (Bun and Steinke 2016). Figures are rounded
 * up.
 *
 * @param rho finite and at least 0
 */
public record ZeroConcentratedDp(double rho) {
  public ZeroConcentratedDp {
    if (!(rho >= 0) || Double.isInfinite(rho)) {
      throw new IllegalArgumentException("rho must be finite and at least 0; was " + rho);
    }
  }

  public static ZeroConcentratedDp of(double rho) {
    return new ZeroConcentratedDp(rho);
  }

  /** μ-GDP is μ²/2-zCDP. */
  public static ZeroConcentratedDp ofMu(Mu mu) {
    return ofSquare(mu.value(), 2);
  }

  /** ε-DP is ε²/2-zCDP (Bun and Steinke 2016, Proposition 1.4). */
  public static ZeroConcentratedDp ofPure(Epsilon epsilon) {
    return ofSquare(epsilon.value(), 2);
  }

  /** Bounded range ε, as of the exponential mechanism, is ε²/8-zCDP (Cesar and Rogers 2021). */
  public static ZeroConcentratedDp ofBoundedRange(Epsilon epsilon) {
    return ofSquare(epsilon.value(), 8);
  }

  private static ZeroConcentratedDp ofSquare(double root, double divisor) {
    return of(root == 0 ? 0 : Rounding.upAboveZero(root * root / divisor));
  }

  /** Σρ, however adaptively they were asked. */
  public static ZeroConcentratedDp compose(Collection<ZeroConcentratedDp> parts) {
    return of(Rounding.up(parts.stream().mapToDouble(ZeroConcentratedDp::rho).sum()));
  }

  /** {@code count} of these. */
  public ZeroConcentratedDp times(long count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1; was " + count);
    }
    return count == 1 ? this : of(Rounding.up(rho * count));
  }

  public RenyiCurve curve() {
    return order -> Rounding.up(rho * order);
  }

  /** The smallest ε that any order gives. */
  public Epsilon epsilon(Delta delta) {
    return RenyiDp.of(curve()).epsilon(delta);
  }

  /** ln(1/δ). */
  static double logInverse(Delta delta) {
    if (!(delta.value() > 0 && delta.value() < 1)) {
      throw new IllegalArgumentException("delta must be above 0 and below 1; was " + delta.value());
    }
    return -Math.log(delta.value());
  }
}
