package io.mutune.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.search.ScoredTrial;
import io.mutune.orchestrator.sweep.Sweeps;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ScoreDeviationTest {
  @Test
  void aNoisyCount_hasItsNoiseOverTheStatedRowsAndTheirSampling() {
    StudyPlan plan = StudyPlan.of(Sweeps.read(Sweeps.SCALE_FREE));
    double sigma =
        plan.scoreCharge(plan.trials().get(0))
            .orElseThrow()
            .mechanism()
            .noise()
            .orElseThrow()
            .value();
    long rows = plan.sweep().rows();

    ScoreDeviation deviation = ScoreDeviation.of(plan, plan.trials().get(0));
    ScoredTrial scored = deviation.scored(plan.trials().get(0), OptionalDouble.of(0.8));

    assertThat(deviation.rows()).hasValue(rows);
    assertThat(deviation.noise().orElseThrow()).isEqualTo(sigma / rows);
    assertThat(scored.deviation())
        .isCloseTo(Math.hypot(sigma / rows, Math.sqrt(0.16 / rows)), within(1e-15));
  }

  @Test
  void publicRows_areSampledAndNothingElse() {
    ScoreDeviation deviation = new ScoreDeviation(OptionalDouble.empty(), OptionalLong.of(400), 1);

    assertThat(deviation.sampling(0.5)).isEqualTo(0.025);
    assertThat(deviation.sampling(1.2)).isZero();
    assertThat(deviation.sampling(-3)).isZero();
  }

  @Test
  void publicRowsThatAreNotCounted_areTakenForFew() {
    ScoreDeviation deviation = new ScoreDeviation(OptionalDouble.empty(), OptionalLong.empty(), 1);

    assertThat(deviation.sampling(0.5)).isCloseTo(Math.sqrt(0.25 / 1000), within(1e-15));
  }

  @Test
  void aTrialWithoutScore_hasNoDeviation() {
    StudyPlan plan = StudyPlan.of(Sweeps.read(Sweeps.SCALE_FREE));
    ScoreDeviation deviation = ScoreDeviation.of(plan, plan.trials().get(0));

    assertThat(deviation.scored(plan.trials().get(0), OptionalDouble.empty()).deviation()).isZero();
  }
}
