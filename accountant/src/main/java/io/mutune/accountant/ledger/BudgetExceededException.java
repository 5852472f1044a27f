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
    return "over budget: asked for mu %s (epsilon %s) with mu %s (epsilon %s) spent and mu %s"
            .formatted(
                up(asked.mu().value()),
                up(asked.epsilon(delta).value()),
                up(before.spent().mu().value()),
                up(before.epsilonSpent().value()),
                down(before.left().mu().value()))
        + " (epsilon %s) left of mu %s (epsilon %s, delta %s)"
            .formatted(
                down(before.epsilonLeft().value()),
                down(before.budget().cap().mu().value()),
                down(before.budget().epsilon().value()),
                down(delta.value()));
  }

  private static String up(double value) {
    return PrintedNumber.up(value, DIGITS);
  }

  private static String down(double value) {
    return PrintedNumber.down(value, DIGITS);
  }
}
