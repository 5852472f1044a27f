package io.mutune.accountant.ledger;

/**
 * Charges were refused because a budget would not be kept. The message is one line of planned
 * numbers; it holds nothing of a private row.
 */
public abstract sealed class OverBudgetException extends RuntimeException
    permits BudgetExceededException, PlanExceededException {
  private static final long serialVersionUID = 1;

  OverBudgetException(String message) {
    super(message);
  }
}
