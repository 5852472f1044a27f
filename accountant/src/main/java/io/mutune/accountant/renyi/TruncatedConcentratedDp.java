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

  /** Both together: Σρ up to the smaller ω. */
  public TruncatedConcentratedDp plus(TruncatedConcentratedDp other) {
    return of(Rounding.up(rho + other.rho), Math.min(omega, other.omega));
  }

  public RenyiCurve curve() {
    return order -> order < omega ? Rounding.up(rho * order) : Double.POSITIVE_INFINITY;
  }

  /**
   * Whether {@link #epsilon} is ρ + 2√(ρL), which needs δ ≥ exp(−(ω − 1)²ρ): the order at which
   * that is least must be below ω.
   */
  public boolean reachesBestOrder(Delta delta) {
    return Math.sqrt(ZeroConcentratedDp.logInverse(delta)) <= (omega - 1) * Math.sqrt(rho);
  }

  /**
   * ρ + 2√(ρL) where ω allows it, and otherwise what the order ω gives, ρω + L/(ω − 1) (Bun et al.
   * 2018); rounded up. {@code RenyiDp.of(curve())} is tighter.
   *
   * @throws IllegalArgumentException if δ is 0 or 1
   */
  public Epsilon epsilon(Delta delta) {
    double log = ZeroConcentratedDp.logInverse(delta);
    return Epsilon.of(
        reachesBestOrder(delta)
            ? ZeroConcentratedDp.standardEpsilon(rho, delta)
            : Rounding.up(rho * omega + log / (omega - 1)));
  }

  /**
   * What this costs on a sample of the rows, if the theorem's conditions hold: look at {@link
   * SampledTcdp#applies} first.
   *
   * @param rate s/m, above 0 and below 1
   */
  public SampledTcdp sampled(double rate) {
    return SampledTcdp.of(this, rate);
  }
}
