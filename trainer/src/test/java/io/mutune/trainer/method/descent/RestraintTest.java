package io.mutune.trainer.method.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Starts and restraints that do not go together, and what they release. */
class RestraintTest {
  /** Rounding of the average's sum and of its division. */
  private static final Offset<Double> OFF = within(1e-12);

  @Test
  void aStartOutsideTheBall_isRefused() {
    Restraint small = new Restraint(0, false, 0.01, Restraint.Schedule.CONSTANT, false);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MethodCases.noisyGd(Adjacency.ADD_REMOVE, 3, MethodCases.start(), small))
        .withMessageContaining("lies outside the ball of radius 0.01");
  }

  @Test
  void theWidthThatAStartAsksFor_isToldBeforeTheCharge() {
    assertThat(
            MethodCases.noisyGd(Adjacency.ADD_REMOVE, 3, MethodCases.start(), Restraint.NONE)
                .features())
        .hasValue(MethodCase.FEATURES);
    assertThat(
            MethodCases.noisyGd(Adjacency.ADD_REMOVE, 3, Optional.empty(), Restraint.NONE)
                .features())
        .isEmpty();
  }

  /** The velocity stays at 1, so a step is as long as its rate: 2η/(t + 1). */
  @Test
  void theFreeStep_hasTheRateThatFollowsTheLastStep() {
    Restraint inverse =
        new Restraint(0, false, Double.POSITIVE_INFINITY, Restraint.Schedule.INVERSE, false);
    double[] weights = new double[1];
    double[] memory = new double[1];
    UpdateRule rule = new RestrainedMomentum(new Momentum(6, 0, true), inverse, weights, 1, 3);
    for (int step = 1; step <= 3; step++) {
      rule.apply(step, weights, memory, new double[] {1});
    }
    double last = weights[0];
    assertThat(rule.released(weights, memory)[0] - last).isEqualTo(-12.0 / 5, OFF);
  }

  /** All steps lost: the weights stood still, and so did their average. */
  @Test
  void theAverageOfARunThatLostEveryStep_isItsStart() {
    Training method =
        MethodCases.noisyGd(
            Adjacency.ADD_REMOVE, 9, MethodCases.start(), MethodCases.theorem3(1, 10));
    TrainingAttempt lost = Fixture.resumed(Fixture.seeded(), Optional.empty(), 9);
    double[] weights =
        method
            .train(Fixture.charged(method), Fixture.zeroRows(1, MethodCase.FEATURES), lost)
            .weights();
    assertThat(weights).containsExactly(MethodCases.start().orElseThrow().weights(), OFF);
  }

  @Test
  void aFreeStepAfterAnAverage_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new NoisyGd(
                    "noisy-gd",
                    NoisyGradient.ofAllRows(ClipNorm.of(1)),
                    0,
                    true,
                    MethodCases.theorem3(1, 10),
                    Start.zero()))
        .withMessage("an average of the weights leaves no free step to take");
  }

  @Test
  void restraintsOutOfRange_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Restraint(-1, false, 1, Restraint.Schedule.CONSTANT, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Restraint(1, false, 0, Restraint.Schedule.CONSTANT, false));
  }
}
