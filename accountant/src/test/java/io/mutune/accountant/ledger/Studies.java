package io.mutune.accountant.ledger;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.mechanism.Gaussian;

/** Budgets and charges that tests share. */
final class Studies {
  static final Budget BUDGET = new Budget(Epsilon.of(1), Delta.of(1e-5), Adjacency.ADD_REMOVE);

  private Studies() {}

  /** One that costs √25 · 2/σ; 0.1 for σ = 100. */
  static Charge charge(String what, double sigma) {
    return new Charge(what, new Gaussian(NoiseMultiplier.of(sigma), 2, 25));
  }

  /** One with the least noise that costs at most μ. */
  static Charge costing(String what, Mu mu) {
    return new Charge(what, new Gaussian(Calibration.noise(mu, 1, 100), 1, 100));
  }
}
