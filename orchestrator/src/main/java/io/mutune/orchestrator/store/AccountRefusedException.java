package io.mutune.orchestrator.store;

import io.mutune.accountant.Delta;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.display.DisplayNumber;
import java.util.Optional;

/** A study may not draw on a data set's account. The message has planned numbers only. */
public final class AccountRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public AccountRefusedException(String message) {
    super(message);
  }

  static AccountRefusedException overBudget(
      AccountRecord account, AccountStanding standing, AccountClaim claim) {
    ApproximateGaussianDp asked = claim.cost();
    String of =
        standing.cap().delta0().value() == 0 && asked.delta0().value() == 0
            ? ""
            : "; delta0 %s asked for with %s spent or reserved and %s left of %s"
                .formatted(
                    DisplayNumber.cost(asked.delta0()),
                    DisplayNumber.cost(standing.held().delta0()),
                    DisplayNumber.left(standing.left().delta0()),
                    DisplayNumber.cost(standing.cap().delta0()));
    return new AccountRefusedException(
        "over the account '%s': asked for %s with %s spent or reserved and %s left of %s"
                .formatted(
                    account.name(),
                    cost(asked, asked, claim.delta()),
                    cost(standing.held(), asked, claim.delta()),
                    left(standing.left(), claim.delta()),
                    cost(standing.cap(), asked, claim.delta()))
            + claim
                .delta()
                .map(d -> " at delta " + d.value() + "; squares of mu add up, epsilons do not")
                .orElse("")
            + " (costs and budgets are rounded up, what is left down)"
            + of);
  }

  /** In μ alone where it has a δ₀ and none is asked for: without it one μ is another ε. */
  private static String cost(
      ApproximateGaussianDp cost, ApproximateGaussianDp asked, Optional<Delta> delta) {
    boolean isAlike = cost.delta0().value() == 0 || asked.delta0().value() > 0;
    return figure(
        DisplayNumber.cost(cost.mu()),
        delta
            .filter(d -> isAlike && cost.hasFiniteEpsilon(d))
            .map(d -> DisplayNumber.cost(cost.epsilon(d))));
  }

  private static String left(ApproximateGaussianDp left, Optional<Delta> delta) {
    return figure(
        DisplayNumber.left(left.mu()),
        delta.flatMap(left.gaussian()::finiteEpsilonAtMost).map(DisplayNumber::left));
  }

  /** In ε first where there is one: a sweep asks in ε. */
  private static String figure(String mu, Optional<String> epsilon) {
    return epsilon.map(e -> "epsilon " + e + " (mu " + mu + ")").orElse("mu " + mu);
  }
}
