package io.mutune.accountant.renyi;

/**
 * PPSGD's Theorem 4 (Wang and Zhou 2020): a (ρ, ω)-tCDP mechanism on a sample without replacement
 * of a fraction s of the rows is (13s²ρ, ln(1/s)/(4ρ))-tCDP, under four conditions that the paper's
 * own experiments may break. Conditions are decided in doubles: within a rounding of equality they
 * are not to be relied upon.
 *
 * @param rho 13s²ρ, rounded up; no guarantee unless all conditions hold
 * @param omega ln(1/s)/(4ρ), rounded down
 * @param omegaNeeded ln(1/s)/(2ρ), which the unsampled ω must reach
 * @param rateIsSmall s ≤ 0.1
 * @param rhoIsSmall ρ ≤ 0.1
 * @param logIsLarge ln(1/s) ≥ 3ρ(2 + log₂(1/ρ))
 * @param omegaIsLarge the unsampled ω is at least {@code omegaNeeded}
 */
public record SampledTcdp(
    double rho,
    double omega,
    double omegaNeeded,
    boolean rateIsSmall,
    boolean rhoIsSmall,
    boolean logIsLarge,
    boolean omegaIsLarge) {
  private static final double LARGEST = 0.1;

  static SampledTcdp of(TruncatedConcentratedDp unsampled, double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException(
          "the sampling rate must be above 0 and below 1; was " + rate);
    }
    double rho = unsampled.rho();
    double log = -Math.log(rate);
    double needed = log / (2 * rho);
    return new SampledTcdp(
        Rounding.up(13 * rate * rate * rho),
        Rounding.down(log / (4 * rho)),
        needed,
        rate <= LARGEST,
        rho <= LARGEST,
        log >= leastLog(rho),
        unsampled.omega() >= needed);
  }

  /** 3ρ(2 + log₂(1/ρ)). */
  static double leastLog(double rho) {
    return 3 * rho * (2 - Math.log(rho) / Math.log(2));
  }

  /** Whether all conditions hold. */
  public boolean applies() {
    return rateIsSmall && rhoIsSmall && logIsLarge && omegaIsLarge && omega > 1;
  }

  /**
   * The guarantee on the sample.
   *
   * @throws IllegalStateException if a condition does not hold
   */
  public TruncatedConcentratedDp guarantee() {
    if (!applies()) {
      throw new IllegalStateException("a condition of the theorem does not hold: " + this);
    }
    return TruncatedConcentratedDp.of(rho, omega);
  }
}
