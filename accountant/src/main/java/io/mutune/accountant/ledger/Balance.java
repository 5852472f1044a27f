package io.mutune.accountant.ledger;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.Collection;

/**
 * How a budget stands. While charges are still chosen on the way the guarantee is the whole budget,
 * and what is spent so far is information (notes on {@link BudgetFilter}).
 *
 * @param spent rounded up
 */
public record Balance(Budget budget, GaussianDp spent) {
  /**
   * The balance after these charges and no others.
   *
   * @throws IllegalArgumentException if a charge's mechanism has no finite μ
   */
  public static Balance of(Budget budget, Collection<Charge> charges) {
    return new Balance(budget, Charges.compose(charges));
  }

  /** What may still be asked for, rounded down; nothing if the budget is used up or passed. */
  public GaussianDp left() {
    return budget.cap().remaining(spent).orElse(GaussianDp.NONE);
  }

  /** The ε of what is spent, at the budget's δ; rounded up. */
  public Epsilon epsilonSpent() {
    return spent.epsilon(budget.delta());
  }

  /**
   * The ε that one further run may have by itself, at the budget's δ; rounded down. With {@link
   * #epsilonSpent} it adds up to more than the budget, since composition is in μ².
   */
  public Epsilon epsilonLeft() {
    return left().epsilonAtMost(budget.delta());
  }
}
