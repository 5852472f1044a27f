package io.mutune.orchestrator.store;

import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.gdp.ApproximateGaussianDp;

/** A study may not draw on a data set's account. The message has planned numbers only. */
public final class AccountRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int DIGITS = 6;

  public AccountRefusedException(String message) {
    super(message);
  }

  static AccountRefusedException overBudget(
      AccountRecord account, AccountStanding standing, ApproximateGaussianDp asked) {
    String of =
        standing.cap().delta0().value() == 0 && asked.delta0().value() == 0
            ? ""
            : "; delta0 %s asked for with %s spent or reserved and %s left of %s"
                .formatted(
                    PrintedNumber.up(asked.delta0().value(), DIGITS),
                    PrintedNumber.up(standing.held().delta0().value(), DIGITS),
                    PrintedNumber.down(standing.left().delta0().value(), DIGITS),
                    PrintedNumber.down(standing.cap().delta0().value(), DIGITS));
    return new AccountRefusedException(
        "over the account '%s': asked for mu %s with mu %s spent or reserved and mu %s left of %s"
                .formatted(
                    account.name(),
                    PrintedNumber.up(asked.mu().value(), DIGITS),
                    PrintedNumber.up(standing.held().mu().value(), DIGITS),
                    PrintedNumber.down(standing.left().mu().value(), DIGITS),
                    PrintedNumber.down(standing.cap().mu().value(), DIGITS))
            + of);
  }
}
