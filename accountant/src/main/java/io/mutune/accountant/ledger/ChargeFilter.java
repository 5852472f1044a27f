package io.mutune.accountant.ledger;

import java.util.List;

/** Decides whether a charge may go on a ledger, from what stands there. Asked by stores. */
public sealed interface ChargeFilter permits BudgetFilter, PlanFilter {
  /**
   * Returns if the charge may be made.
   *
   * @param spent all charges of the study so far, in any order
   * @throws OverBudgetException if not; then it may not be made
   * @throws IllegalArgumentException if this filter cannot hold such a mechanism
   */
  void check(List<Charge> spent, Charge asked);
}
