package io.mutune.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mutune.accountant.Mu;
import io.mutune.accountant.ledger.PlanExceededException;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.Sweeps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The batch size as a dimension of a search: the one number that a charge depends on. */
class SampledRunsPlanTest {
  private static final String GRID =
      Sweeps.HEAD
          + """
      search:
        strategy: grid
        points: {values: 1, others: 3}
        space: {logitNoise: 1, steps: 40, batchSize: {min: 100, max: 10000}}
        score: {on: private, epsilon: 0.1}
      train: {method: dp-sgd}
      """;

  private static final StudyPlan PLAN = StudyPlan.of(Sweeps.read(GRID));

  @Test
  void eachTrial_isChargedForItsOwnRate_andAllTogetherKeepTheBudget() {
    List<Double> rates = new ArrayList<>();
    for (PlannedTrial trial : PLAN.trials()) {
      double rate = trial.point().settings().getOrDefault("samplingRate", 0.0);
      if (PLAN.trialCharge(trial).mechanism() instanceof SubsampledGaussian asked) {
        assertThat(asked.samplingRate()).isEqualTo(rate);
        assertThat(asked.count()).isEqualTo(40);
      } else {
        assertThat(rate).isEqualTo(1);
        assertThat(PLAN.trialCharge(trial).mechanism()).isInstanceOf(Gaussian.class);
      }
      rates.add(Math.round(rate * 1e9) / 1e9);
    }

    assertThat(rates).containsExactly(0.01, 0.1, 1.0);
    assertThat(PLAN.keepsBudget()).isTrue();
    // The factor of the noise is found within the 32nd root of 1.1.
    assertThat(PlanTotal.of(PLAN.budget(), PLAN.whole()).epsilon().value()).isBetween(0.99, 1.0);
  }

  @Test
  void aRateWhoseSamplesCostNothing_isRefused() {
    String tiny =
        Sweeps.edited(
            GRID, "batchSize: {min: 100, max: 10000}", "samplingRate: {min: 1.0e-9, max: 0.1}");
    assertThatExceptionOfType(InvalidSweepException.class)
        .isThrownBy(() -> StudyPlan.of(Sweeps.read(tiny)))
        .withMessageContaining(
            "train must take larger samples: with 40 steps at a sampling rate of 1.00e-09 ");
  }

  @Test
  void aRunOfOneRate_costsAboutWhatOneOfAnotherDoes() {
    double first = PLAN.trials().get(0).epsilon().value();
    for (PlannedTrial trial : PLAN.trials()) {
      assertThat(trial.epsilon().value()).isBetween(0.7 * first, first / 0.7);
    }
  }

  @Test
  void theNoiseInALogit_isWhatWasAskedForAtEveryRate() {
    for (PlannedTrial trial : PLAN.trials()) {
      double nu = PLAN.sweep().runScale().logitNoise(trial.point(), trial.mu());
      assertThat(nu).isBetween(1 - 1e-9, 1 + 1e-9);
      // s·√T·q/σ, as for every sampled run.
      double rate = trial.point().settings().getOrDefault("samplingRate", 0.0);
      double sigma = PLAN.trialNoise(trial).value();
      assertThat(trial.mu().value())
          .isBetween(
              0.999999 * rate * Math.sqrt(40) / sigma, 1.000001 * rate * Math.sqrt(40) / sigma);
    }
  }

  @Test
  void aStudyThatWasBegun_isPlannedAsItWas_withoutLookingForTheNoise() {
    StudyPlan again = StudyPlan.of(PLAN.sweep(), PLAN.noiseLevels());

    assertThat(again.whole()).isEqualTo(PLAN.whole());
    assertThat(again.trials()).isEqualTo(PLAN.trials());
    assertThat(again.noiseLevels()).isEqualTo(PLAN.noiseLevels());
  }

  @Test
  void lessNoiseThanThePlans_isRefused() {
    NoiseLevels begun = PLAN.noiseLevels().orElseThrow();
    Map<Double, Double> less = new TreeMap<>(begun.trials());
    less.replaceAll((rate, sigma) -> sigma * 0.98);

    assertThatExceptionOfType(PlanExceededException.class)
        .isThrownBy(
            () -> StudyPlan.of(PLAN.sweep(), Optional.of(new NoiseLevels(less, begun.last()))));
  }

  @Test
  void aDrawnRate_isOneOfFour() {
    String random =
        GRID.replace(
            "strategy: grid\n  points: {values: 1, others: 3}", "strategy: random\n  trials: 40");
    BestOf search = (BestOf) Sweeps.read(random).search();

    // 40 draws miss one of four values with a probability of 4e-5; the seed is public and fixed.
    assertThat(search.points().of(PLAN.sweep().runScale(), Mu.of(1)))
        .extracting(point -> point.settings().get("samplingRate"))
        .extracting(rate -> Math.round(rate * 1e6) / 1e6)
        .containsOnly(0.01, 0.046416, 0.215443, 1.0);
  }

  @Test
  void whereNoPlanCanFixIt_itIsRefused() {
    refused(
        GRID.replace("method: dp-sgd", "method: noisy-gd"),
        "must not have samplingRate with noisy-gd");
    refused(GRID + "run: {noise: {grid: 40}}\n", "must not have samplingRate with noise on a grid");
    refused(
        GRID.replace("max: 10000}", "max: 10001}"), "must be from 1 to the number of rows (10000)");
    refused(
        GRID.replace("batchSize: {min: 100, max: 10000}", "samplingRate: {min: 0.5, max: 2}"),
        "must be at most 1");
    refused(
        GRID.replace("steps: 40, batch", "steps: 40, samplingRate: 0.1, batch"),
        "say the same thing twice");
    refused(
        GRID.replace(", batchSize: {min: 100, max: 10000}", ""), "train.samplingRate is missing");
    refused(
        GRID.replace(
            "strategy: grid\n  points: {values: 1, others: 3}", "strategy: linear-scaling"),
        "must have no ranges of samplingRate with linear-scaling");
    refused(
        GRID.replace(
            "strategy: grid\n  points: {values: 1, others: 3}", "strategy: random-stopping"),
        "search.strategy must not be with dp-sgd: a run and its score are charged as one Gaussian"
            + " mechanism; was random-stopping");
  }

  private static void refused(String sweep, String sentence) {
    assertThat(Sweeps.problems(sweep))
        .anySatisfy(problem -> assertThat(problem).contains(sentence));
  }
}
