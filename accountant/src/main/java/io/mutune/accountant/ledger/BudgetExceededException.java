package io.mutune.accountant.ledger;

import io.mutune.accountant.Delta;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.gdp.GaussianDp;

/**
 * Charges were refused because they would pass the budget in μ. The message names what was asked,
 * spent and left.
 */
public final class BudgetExceededException extends OverBudgetException {
  private static final long serialVersionUID = 1;
  private static final int DIGITS = 6;

  private final transient Balance before;
  private final transient GaussianDp asked;

  BudgetExceededException(Balance before, GaussianDp asked) {
    super(message(before, asked));
    this.before = before;
    this.asked = asked;
  }

  public Budget budget() {
    return before.budget();
  }

  /** What was charged before, rounded up. */
  public GaussianDp spent() {
    return before.spent();
  }

  /** What the refused charges would cost by themselves, rounded up. */
  public GaussianDp asked() {
    return asked;
  }

  /** What could have been asked for, rounded down. */
  public GaussianDp left() {
    return before.left();
  }

  private static String message(Balance before, GaussianDp asked) {
    Delta delta = before.budget().delta();
    return "over budget: asked for epsilon %s (mu %s) with epsilon %s (mu %s) spent and epsilon %s"
            .formatted(
                up(asked.epsilon(delta).value()),
                up(asked.mu().value()),
                up(before.epsilonSpent().value()),
                up(before.spent().mu().value()),
                down(before.epsilonLeft().value()))
        + " (mu %s) left of epsilon %s (mu %s) at delta %s; squares of mu add up, epsilons do not"
            .formatted(
                down(before.left().mu().value()),
                down(before.budget().epsilon().value()),
                down(before.budget().cap().mu().value()),
                down(delta.value()))
        + " (costs are rounded up, what is left down)";
  }

  private static String up(double value) {
    return PrintedNumber.up(value, DIGITS);
  }

  private static String down(double value) {
    return PrintedNumber.down(value, DIGITS);
  }
}
