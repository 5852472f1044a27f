package io.mutune.orchestrator.study;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.orchestrator.plan.StudyPlan;
import java.util.List;
import java.util.Optional;

/**
 * How the budget of a study stands after some of its charges. In μ where its plan is; where charges
 * have none, what is left is what the plan still has, and no amount of ε says it.
 */
public record Spending(StudyPlan plan, List<Charge> charges) {
  public Spending {
    charges = List.copyOf(charges);
  }

  public Budget budget() {
    return plan.budget();
  }

  /** Spent and left in μ; empty where a charge of the plan has none. */
  public Optional<Balance> inMu() {
    return plan.isInMu() && PlanTotal.isInMu(charges)
        ? Optional.of(Balance.of(budget(), charges))
        : Optional.empty();
  }

  /** The ε of what is spent, at the budget's δ, rounded up; may take some tenths of a second. */
  public Epsilon epsilonSpent() {
    return inMu()
        .map(Balance::epsilonSpent)
        .orElseGet(
            () -> charges.isEmpty() ? Epsilon.of(0) : PlanTotal.of(budget(), charges).epsilon());
  }

  /** How many charges the plan has in all. */
  public int planned() {
    return plan.size();
  }
}
