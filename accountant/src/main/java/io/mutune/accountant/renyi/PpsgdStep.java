package io.mutune.accountant.renyi;

/**
 * One step of PPSGD (Wang and Zhou 2020, equation 4): what ρ_s a step's budget ρ_t allows on its
 * sample of {@code batch} rows, and whether Theorem 4 then holds and covers the whole run's ω.
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
    double rho = Rounding.down(rhoStep / (13 * rate * rate));
    return new PpsgdStep(
        rho,
        log / (2 * rho),
        Rounding.down(log / (4 * rho)),
        Rounding.up(2 / ((double) batch * batch * rho)),
        rate <= LARGEST,
        rho <= LARGEST,
        log >= SampledTcdp.leastLog(rho));
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
