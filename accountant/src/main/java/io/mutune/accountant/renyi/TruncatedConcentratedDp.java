package io.mutune.accountant.renyi;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;

/**
 * (ρ, ω)-tCDP: the divergence of every order α below ω is at most ρα (Bun, Dwork, Rothblum and
 * Steinke 2018). PPSGD (Wang and Zhou 2020) keeps its budget in it.
 *
 * @param rho finite and above 0
 * @param omega above 1; infinite for zCDP
 */
public record TruncatedConcentratedDp(double rho, double omega) {
  public TruncatedConcentratedDp {
    if (!(rho > 0) || Double.isInfinite(rho)) {
      throw new IllegalArgumentException("rho must be finite and above 0; was " + rho);
    }
    if (!(omega > 1)) {
      throw new IllegalArgumentException("omega must be above 1; was " + omega);
    }
  }

  public static TruncatedConcentratedDp of(double rho, double omega) {
    return new TruncatedConcentratedDp(rho, omega);
  }

  /**
   * The largest ρ whose guarantee is (ε, δ), and the smallest ω that this needs (PPSGD, equation
   * 3): ρ = (√(L + ε) − √L)² with L = ln(1/δ), here as (ε/(√(L + ε) + √L))², which does not cancel;
   * ω = √(L/ρ) + 1. ρ is rounded down and ω up.
   *
   * @throws IllegalArgumentException if ε is 0, or δ is 0 or 1
   */
  public static TruncatedConcentratedDp ofBudget(Epsilon epsilon, Delta delta) {
    double log = ZeroConcentratedDp.logInverse(delta);
    double root = epsilon.value() / (Math.sqrt(log + epsilon.value()) + Math.sqrt(log));
    double rho = Rounding.down(root * root);
    return of(rho, Rounding.up(Math.sqrt(log) / Math.sqrt(rho) + 1));
  }

  public RenyiCurve curve() {
    return order -> order < omega ? Rounding.up(rho * order) : Double.POSITIVE_INFINITY;
  }
}
