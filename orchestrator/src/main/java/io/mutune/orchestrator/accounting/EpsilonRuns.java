package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.Gaussian;

/**
 * Gaussian runs, each of which is known to be (ε, δ)-DP and no more: its μ is at least the largest
 * that this allows, so that their total is never below the truth.
 *
 * @param epsilon of each, rounded up
 * @param one the most that each may cost
 * @param least what each may cost at any rate, if its noise is the least that its ε allows
 */
record EpsilonRuns(long count, Epsilon epsilon, GaussianDp one, GaussianDp least) {
  /**
   * Reads one part.
   *
   * @param name what it is, for errors
   * @param delta of each run, above 0
   */
  static EpsilonRuns of(String name, Decimal count, Decimal epsilon, Delta delta) {
    Epsilon each = Epsilon.of(epsilon.notNegative("the epsilon of " + name).up());
    return new EpsilonRuns(
        count.count("the count of " + name),
        each,
        GaussianDp.of(PureGaussian.muAtLeast(each, delta)),
        GaussianDp.ofBudget(Epsilon.of(epsilon.down()), delta));
  }

  GaussianDp together() {
    return mechanism().mu().map(GaussianDp::of).orElseThrow();
  }

  /** All of them if each costs the least. */
  GaussianDp atLeast() {
    return GaussianDp.ofGaussian(NoiseMultiplier.of(1), least.mu().value(), count);
  }

  /** The same as releases with noise of deviation 1. */
  Gaussian mechanism() {
    return new Gaussian(NoiseMultiplier.of(1), one.mu().value(), count);
  }

  /** The sum of their ε, to nearest. */
  double basic() {
    return count * epsilon.value();
  }
}
