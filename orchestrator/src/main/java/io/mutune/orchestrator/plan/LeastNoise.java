package io.mutune.orchestrator.plan;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Calibrator;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanExceededException;
import io.mutune.accountant.ledger.PlanTotal;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.Function;

/** The least noise with which charges that have no μ keep a budget. */
final class LeastNoise {
  /** Fewer than numerical composition repeats elsewhere; a plan is rounded to them, up. */
  private static final MathContext DIGITS = new MathContext(7, RoundingMode.CEILING);

  private LeastNoise() {}

  /**
   * The least σ, rounded up, and up again until it is proved.
   *
   * @param charges everything that is charged, by σ
   * @throws PlanExceededException if no noise keeps the budget
   */
  static NoiseMultiplier of(Budget budget, Function<NoiseMultiplier, List<Charge>> charges) {
    Calibrator calibrator =
        new Calibrator(CombinedGuarantee.GUARANTEE, budget.epsilon(), budget.delta());
    double sigma;
    try {
      sigma =
          calibrator
              .noise(s -> PlanTotal.releases(budget, charges.apply(NoiseMultiplier.of(s))))
              .value();
    } catch (IllegalArgumentException e) {
      throw new PlanExceededException(String.valueOf(e.getMessage()));
    }
    BigDecimal rounded = new BigDecimal(sigma).round(DIGITS);
    while (!isProved(budget, charges.apply(NoiseMultiplier.of(rounded.doubleValue())))) {
      rounded = rounded.add(rounded.ulp());
    }
    return NoiseMultiplier.of(rounded.doubleValue());
  }

  /** By the filter, and by what the statement will say. */
  static boolean isProved(Budget budget, List<Charge> charges) {
    return PlanTotal.keeps(budget, charges)
        && PlanTotal.of(budget, charges).epsilon().value() <= budget.epsilon().value();
  }
}
