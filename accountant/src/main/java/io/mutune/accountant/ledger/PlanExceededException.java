package io.mutune.accountant.ledger;

/** A plan that has to be fixed beforehand does not keep its budget, or has no such charge. */
public final class PlanExceededException extends OverBudgetException {
  private static final long serialVersionUID = 1;

  /**
   * @param message one line that names planned numbers alone
   */
  public PlanExceededException(String message) {
    super("over budget: " + message);
  }
}
