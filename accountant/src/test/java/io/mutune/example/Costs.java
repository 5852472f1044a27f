package io.mutune.example;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.BudgetFilter;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import java.util.List;

final class Costs {
  private Costs() {}

  /** What is left of (1, 1e-5) after 100 noisy sums that are (0.3, 1e-5)-DP together. */
  static Balance afterOneTrial() {
    Budget budget = new Budget(Epsilon.of(1), Delta.of(1e-5), Adjacency.ADD_REMOVE);
    NoiseMultiplier sigma = Calibration.noise(Epsilon.of(0.3), budget.delta(), 1, 100);
    Charge trial = new Charge("trial 1", new Gaussian(sigma, 1, 100));
    Balance balance = new BudgetFilter(budget).admit(List.of(), List.of(trial));
    double spent = balance.epsilonSpent().value();
    System.out.println("spent " + spent + ", left " + balance.epsilonLeft().value());
    return balance;
  }
}
