package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.method.TrainingMethod;
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
  static List<String> problems(SweepDefinition sweep, List<Charge> charges) {
    Optional<Grid> grid = sweep.run().noise().grid();
    if (grid.isEmpty() || !sweep.train().method().isCharged()) {
      return List.of();
    }
    List<String> problems = new ArrayList<>();
    BigDecimal least = training(sweep, grid.get());
    for (Charge charge : charges) {
      Optional<Question> question = Question.of(charge);
      if (question.equals(Optional.of(Question.MEAN))) {
        check(charge, mean(sweep, grid.get()), problems);
      }
      if (question.filter(Question::trains).isPresent()) {
        check(charge, least, problems);
      }
    }
    return problems;
  }

  private static void check(Charge charge, BigDecimal least, List<String> problems) {
    Number sensitivity = charge.mechanism().parameters().get("sensitivity");
    if (sensitivity == null || new BigDecimal(sensitivity.doubleValue()).compareTo(least) < 0) {
      problems.add(
          "%s is charged for a sensitivity of %s, and sums on the grid have %s"
              .formatted(charge.what(), sensitivity, least.round(new MathContext(20))));
    }
  }

  private static BigDecimal mean(SweepDefinition sweep, Grid grid) {
    MeanStep step = sweep.data().mean().orElseThrow();
    BigDecimal moved = moved(step.features(), step.clipNorm().value(), grid);
    return BigDecimal.valueOf(sweep.budget().adjacency().sumSensitivity()).add(moved);
  }

  /** g√d/C. */
  private static BigDecimal moved(long coordinates, double clipNorm, Grid grid) {
    return BigDecimal.valueOf(coordinates)
        .sqrt(DIGITS)
        .divide(new BigDecimal(clipNorm), DIGITS)
        .divide(BigDecimal.valueOf(2).pow(-grid.exponent()), DIGITS);
  }

  /** s + g√d/C over all rows, s(1 + g√d/C) over samples. */
  private static BigDecimal training(SweepDefinition sweep, Grid grid) {
    TrainingMethod method = sweep.train().method();
    int columns = sweep.train().loss().columns(sweep.classes());
    BigDecimal moved =
        moved((long) sweep.data().modelFeatures().orElseThrow() * columns, method.stepUnit(), grid);
    BigDecimal s = BigDecimal.valueOf(sweep.budget().adjacency().sumSensitivity());
    return method.samplingRate() < 1 ? s.multiply(BigDecimal.ONE.add(moved)) : s.add(moved);
  }
}
