package io.mutune.accountant.ledger;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.Objects;

/**
 * What a whole study may cost: every trial, every score and the final model together.
 *
 * @param epsilon above 0
 * @param delta strictly between 0 and 1
 * @param adjacency what the guarantee hides; the sensitivities of all charges are meant under it
 */
public record Budget(Epsilon epsilon, Delta delta, Adjacency adjacency) {
  public Budget {
    if (!(epsilon.value() > 0)) {
      throw new IllegalArgumentException(
          "a budget's epsilon must be above 0; was " + epsilon.value());
    }
    // Refuses a δ of 0 or 1, and says why.
    Objects.requireNonNull(GaussianDp.ofBudget(epsilon, delta));
    Objects.requireNonNull(adjacency);
  }

  /** The same budget in μ, rounded down. */
  public GaussianDp cap() {
    return GaussianDp.ofBudget(epsilon, delta);
  }
}
