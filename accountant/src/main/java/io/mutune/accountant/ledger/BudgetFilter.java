package io.mutune.accountant.ledger;

import io.mutune.accountant.gdp.GaussianDp;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lets charges through while Σμ² stays within the square of the budget's μ.
 *
 * <p>Valid however the charges are chosen on the way, for exactly Gaussian mechanisms and a budget
 * that is fixed before the first access (Smith and Thakurta 2022; Koskela, Tobaben and Honkela
 * 2022); the guarantee is then the budget itself. Each charge and their sum are rounded up, the
 * budget's μ is rounded down, and nothing makes room for rounding.
 */
public final class BudgetFilter implements ChargeFilter {
  private final Budget budget;
  private final GaussianDp cap;

  public BudgetFilter(Budget budget) {
    this.budget = budget;
    this.cap = budget.cap();
  }

  /**
   * The balance once all of {@code asked} is charged on top of {@code spent}.
   *
   * @throws BudgetExceededException if that would pass the budget; then none of it may be charged
   * @throws IllegalArgumentException if a charge's mechanism has no finite μ
   */
  public Balance admit(List<Charge> spent, List<Charge> asked) {
    Balance after = Balance.of(budget, Stream.concat(spent.stream(), asked.stream()).toList());
    if (after.spent().mu().value() > cap.mu().value()) {
      throw new BudgetExceededException(Balance.of(budget, spent), Charges.compose(asked));
    }
    return after;
  }

  @Override
  public void check(List<Charge> spent, Charge asked) {
    admit(spent, List.of(asked));
  }
}
