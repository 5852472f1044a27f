package io.mutune.accountant.renyi;

/**
 * One step of PPSGD (Wang and Zhou 2020, equation 4): what ρ_s a step's budget ρ_t allows on its
 * sample of {@code batch} rows, and whether Theorem 4 then holds and covers the whole run's ω.
 *
 * <p>Theorem 4: a (ρ, ω)-tCDP mechanism on a sample without replacement of a fraction s of the rows
 * is (13s²ρ, ln(1/s)/(4ρ))-tCDP if s ≤ 0.1, ρ ≤ 0.1, ln(1/s) ≥ 3ρ(2 + log₂(1/ρ)) and ω ≥
 * ln(1/s)/(2ρ). The paper's own experiments may break it. Conditions are decided in doubles: within
 * a rounding of equality they are not to be relied upon.
 *
 * <p>The step's noise is built to be exactly (ρ_s, ω_s)-tCDP before sampling with ω_s =
 * ln(m/s)/(2ρ_s), the least that the theorem asks for: a Gaussian has every ω.
 *
 * @param rhoSample ρ_s = ρ_t/(13(s/m)²), rounded down
 * @param omegaSample ω_s
 * @param omegaStep ln(m/s)/(4ρ_s), up to which the step's guarantee holds; rounded down
 * @param noiseVariance of each coordinate of the mean gradient for a clip norm of 1, 2/(s²ρ_s);
 *     rounded up
 * @param rateIsSmall s/m ≤ 0.1
 * @param rhoIsSmall ρ_s ≤ 0.1
 * @param logIsLarge ln(m/s) ≥ 3ρ_s(2 + log₂(1/ρ_s))
 */
public record PpsgdStep(
    double rhoSample,
    double omegaSample,
    double omegaStep,
    double noiseVariance,
    boolean rateIsSmall,
    boolean rhoIsSmall,
    boolean logIsLarge) {
  private static final double LARGEST = 0.1;

  /**
   * What a step of this budget may do.
   *
   * @param rhoStep ρ_t, finite and above 0
   * @param batch s, at least 1 and below {@code rows}
   * @param rows m
   * @throws IllegalArgumentException if one is out of range, or a figure of the step beyond what a
   *     double holds
   */
  public static PpsgdStep of(double rhoStep, long batch, long rows) {
    if (!(rhoStep > 0) || Double.isInfinite(rhoStep)) {
      throw new IllegalArgumentException("rho must be finite and above 0; was " + rhoStep);
    }
    if (batch < 1 || batch >= rows) {
      throw new IllegalArgumentException(
          "a batch must have at least 1 row and fewer than the %s rows; was %s"
              .formatted(rows, batch));
    }
    double rate = (double) batch / rows;
    double log = Math.log((double) rows / batch);
    double rho = rhoStep / (13 * rate * rate);
    requireDouble("rho_s = rho_t/(13(s/m)^2)", rho, rhoStep, batch, rows);
    rho = Rounding.down(rho);
    double omega = log / (2 * rho);
    requireDouble("omega_s = ln(m/s)/(2 rho_s)", omega, rhoStep, batch, rows);
    double variance = Rounding.up(2 / ((double) batch * batch * rho));
    requireDouble("the noise's variance 2/(s^2 rho_s)", variance, rhoStep, batch, rows);
    return new PpsgdStep(
        rho,
        omega,
        Rounding.down(log / (4 * rho)),
        variance,
        rate <= LARGEST,
        rho <= LARGEST,
        log >= leastLog(rho));
  }

  /** 3ρ(2 + log₂(1/ρ)). */
  private static double leastLog(double rho) {
    return 3 * rho * (2 - Math.log(rho) / Math.log(2));
  }

  private static void requireDouble(
      String what, double value, double rhoStep, long batch, long rows) {
    if (!(value >= Double.MIN_NORMAL) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          "%s must be a normal double; was %s for rho_t = %s, s = %s, m = %s"
              .formatted(what, value, rhoStep, batch, rows));
    }
  }

  /** Whether Theorem 4 holds for this step. */
  public boolean theoremApplies() {
    return rateIsSmall && rhoIsSmall && logIsLarge;
  }

  /** Whether the step's guarantee reaches the whole run's ω, which the paper does not ask for. */
  public boolean covers(TruncatedConcentratedDp total) {
    return omegaStep >= total.omega();
  }
}
