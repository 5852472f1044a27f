package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;

/** What a plan leaves for the final run. */
sealed interface FinalShare {
  /**
   * The μ of a Gaussian run over all rows with as much noise in its sum of steps: what the search
   * takes a run's noise by.
   */
  Mu noise();

  /** Nothing: the final run asks no row that needs protection. */
  record None() implements FinalShare {
    @Override
    public Mu noise() {
      return Mu.ZERO;
    }
  }

  /** All that is left in μ, whatever the steps. */
  record InMu(Mu mu) implements FinalShare {
    @Override
    public Mu noise() {
      return mu;
    }
  }

  /**
   * One charge, to the last digit.
   *
   * @param sigma that the charge comes from
   */
  record Fixed(Charge charge, Mu noise, NoiseMultiplier sigma) implements FinalShare {}
}
