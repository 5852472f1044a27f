package io.mutune.accountant.ledger;

import java.util.ArrayList;
import java.util.List;

/**
 * Lets through the charges of a plan that was fixed before the first access, each once, and no
 * others.
 *
 * <p>Privacy loss distributions compose mechanisms that are fixed beforehand; no filter is proved
 * for charges whose parameters are chosen on the way. So the total is that of the plan, which keeps
 * the budget or there is no filter. What was charged so far and what is asked are a part of it, and
 * a part costs no more than the whole, of whose releases it is a function: so the least bound of
 * the part is never computed, whose numerical error could only refuse what is sound.
 */
public final class PlanFilter implements ChargeFilter {
  private final List<Charge> plan;

  /**
   * @param plan every charge that the study may make
   * @throws PlanExceededException if they do not keep the budget together
   */
  public PlanFilter(Budget budget, List<Charge> plan) {
    this.plan = List.copyOf(plan);
    if (!PlanTotal.keeps(budget, this.plan)) {
      throw new PlanExceededException(
          "the charges of the plan do not keep epsilon %s at delta %s together"
              .formatted(budget.epsilon().value(), budget.delta().value()));
    }
  }

  @Override
  public void check(List<Charge> spent, Charge asked) {
    List<Charge> after = new ArrayList<>(spent);
    after.add(asked);
    List<Charge> left = new ArrayList<>(plan);
    for (Charge charge : after) {
      if (!left.remove(charge)) {
        throw new PlanExceededException(
            "'%s' as %s is not in the plan, or was charged before"
                .formatted(charge.what(), charge.mechanism()));
      }
    }
  }
}
