package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.sweep.MethodDefinition;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.noise.Grid;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Computes again, in decimals of 50 digits, by how much rounding to a grid lets neighbours differ,
 * and holds every charge for training against it.
 */
final class RoundingAudit {
  private static final MathContext DIGITS = new MathContext(50);

  private RoundingAudit() {}

  /** Charges that leave out the rounding, each one sentence. */
  static List<String> problems(SweepDefinition sweep, List<Charge> charges, String finalName) {
    Optional<Grid> grid = sweep.noise().grid();
    if (grid.isEmpty() || !sweep.train().method().isCharged()) {
      return List.of();
    }
    List<String> problems = new ArrayList<>();
    BigDecimal least = training(sweep, grid.get());
    for (Charge charge : charges) {
      boolean trains = charge.what().equals(finalName) || charge.what().startsWith("trial ");
      Number sensitivity = charge.mechanism().parameters().get("sensitivity");
      if (trains
          && (sensitivity == null
              || new BigDecimal(sensitivity.doubleValue()).compareTo(least) < 0)) {
        problems.add(
            "%s is charged for a sensitivity of %s, and sums on the grid have %s"
                .formatted(charge.what(), sensitivity, least.round(new MathContext(20))));
      }
    }
    return problems;
  }

  /** s + g√d/C over all rows, s(1 + g√d/C) over samples. */
  private static BigDecimal training(SweepDefinition sweep, Grid grid) {
    MethodDefinition method = sweep.train().method();
    int columns = sweep.train().loss().columns(sweep.classes());
    BigDecimal moved =
        BigDecimal.valueOf(sweep.modelFeatures().orElseThrow())
            .multiply(BigDecimal.valueOf(columns))
            .sqrt(DIGITS)
            .divide(new BigDecimal(method.stepUnit()), DIGITS)
            .divide(BigDecimal.valueOf(2).pow(-grid.exponent()), DIGITS);
    BigDecimal s = BigDecimal.valueOf(sweep.budget().adjacency().sumSensitivity());
    return method.samplingRate() < 1 ? s.multiply(BigDecimal.ONE.add(moved)) : s.add(moved);
  }
}
