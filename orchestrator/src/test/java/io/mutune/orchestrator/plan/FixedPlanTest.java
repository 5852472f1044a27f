package io.mutune.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanExceededException;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.Sweeps;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of studies whose charges have no μ. */
class FixedPlanTest {
  private static final String SAMPLED =
      Sweeps.SCALE_FREE + "train: {method: dp-sgd, batchSize: 500}\n";
  private static final StudyPlan PLAN = StudyPlan.of(Sweeps.read(SAMPLED));
  private static final int STEPS = PLAN.trials().get(0).point().steps();

  /** The least bound, asked of the accountants themselves. */
  private static double epsilon(List<Charge> charges) {
    Budget budget = PLAN.sweep().budget();
    Releases releases =
        new Releases(charges.stream().map(Charge::mechanism).toList(), budget.adjacency());
    return CombinedGuarantee.GUARANTEE.bound(releases, new EpsilonAt(budget.delta())).upper();
  }

  @Test
  void everyChargeTogether_keepsTheBudgetAndUsesItUp() {
    // The mechanisms as they stand, not merged: numerical composition differs by less than 1e-4.
    assertThat(epsilon(PLAN.whole())).isBetween(0.9999, 1.0001);
    assertThat(PLAN.total().value()).isBetween(0.9999, 1.0);
  }

  @Test
  void aTrialAlone_hasTheEpsilonOfItsSweepAndNoMore() {
    Charge first = PLAN.trialCharge(PLAN.trials().get(0));
    assertThat(epsilon(List.of(first))).isBetween(0.2 * (1 - 1e-4), 0.2);
    SubsampledGaussian asked = (SubsampledGaussian) first.mechanism();
    assertThat(asked.samplingRate()).isEqualTo(0.05);
    assertThat(asked.count()).isEqualTo(STEPS);
    assertThat(asked.sensitivity()).isEqualTo(1);
    assertThat(
            epsilon(
                List.of(
                    new Charge(
                        "less noise",
                        new SubsampledGaussian(
                            NoiseMultiplier.of(asked.sigma().value() * 0.999), 0.05, 1, STEPS)))))
        .isGreaterThan(0.2);
  }

  @Test
  void planning_readsNoDataAndRepeats() {
    assertThat(Files.exists(PLAN.sweep().data().training().spec().file())).isFalse();
    StudyPlan again = StudyPlan.of(PLAN.sweep());
    assertThat(again.whole()).isEqualTo(PLAN.whole());
    assertThat(again.trials()).isEqualTo(PLAN.trials());
  }

  @Test
  void aStudyThatGoesOn_hasThePlanThatItWasBegunWith() {
    NoiseLevels begun = PLAN.noiseLevels().orElseThrow();
    StudyPlan resumed = StudyPlan.begun(PLAN.sweep(), Optional.of(begun));
    assertThat(resumed.whole()).isEqualTo(PLAN.whole());
    assertThat(resumed.trials()).isEqualTo(PLAN.trials());

    // Even one whose noise another version would choose otherwise.
    NoiseLevels other = new NoiseLevels(begun.trials(), begun.last() * 1.1);
    StudyPlan older = StudyPlan.begun(PLAN.sweep(), Optional.of(other));
    assertThat(older.sigma(older.finalCharge(new TrialPoint(1, STEPS))).orElseThrow())
        .isEqualTo(other.last());
  }

  @Test
  void aStudyBegunWithTooLittleNoise_isRefused() {
    NoiseLevels begun = PLAN.noiseLevels().orElseThrow();
    NoiseLevels less = new NoiseLevels(begun.trials(), begun.last() * 0.99);
    assertThatExceptionOfType(PlanExceededException.class)
        .isThrownBy(() -> StudyPlan.begun(PLAN.sweep(), Optional.of(less)));
    NoiseLevels trials = new NoiseLevels(Map.of(0.2, 0.5), begun.last());
    assertThatExceptionOfType(PlanExceededException.class)
        .isThrownBy(() -> StudyPlan.begun(PLAN.sweep(), Optional.of(trials)));
  }

  @Test
  void thePlanForesees_itsOwnChargesToTheLastDigitAndNoOther() {
    assertThat(PLAN.whole()).allMatch(PLAN::foresees);
    Charge last = PLAN.finalCharge(new TrialPoint(1, STEPS));
    SubsampledGaussian asked = (SubsampledGaussian) last.mechanism();
    List<Mechanism> others =
        List.of(
            new SubsampledGaussian(NoiseMultiplier.of(1e6), asked.samplingRate(), 1, STEPS),
            new SubsampledGaussian(asked.sigma(), asked.samplingRate(), 1, STEPS - 1),
            new SubsampledGaussian(asked.sigma(), 0.01, 1, STEPS),
            new Gaussian(NoiseMultiplier.of(1e6), 1, 1));
    for (Mechanism other : others) {
      Charge charge = new Charge(last.what(), other);
      assertThat(PLAN.foresees(charge)).isFalse();
      assertThatExceptionOfType(PlanExceededException.class)
          .isThrownBy(() -> PLAN.filter().check(List.of(), charge));
    }
  }

  @Test
  void aFinalRunOfOtherSteps_isNotCharged() {
    org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> PLAN.finalCharge(new TrialPoint(1, STEPS + 1)))
        .withMessageContaining("no final run of %d steps".formatted(STEPS + 1));
  }

  @Test
  void trialsOverTheBudget_areRefused() {
    String dear = Sweeps.edited(SAMPLED, "epsilon: 0.2, trials: 3", "epsilon: 0.9, trials: 3");
    assertThatExceptionOfType(PlanExceededException.class)
        .isThrownBy(() -> StudyPlan.of(Sweeps.read(dear)))
        .withMessageMatching(
            "over budget: the trials and scores alone have epsilon 1\\.\\d+ of 1\\.0 at delta .*");
  }

  /** Where δ covers that a row is in any sample, no noise at all would do; trials or none. */
  @ParameterizedTest
  @ValueSource(strings = {Sweeps.SCALE_FREE, Sweeps.FIXED})
  void samplesThatCostNothing_areRefusedForWhatTheyAre(String sweep) {
    String tiny = sweep + "train: {method: dp-sgd, samplingRate: 1.0e-9}\n";
    assertThatExceptionOfType(InvalidSweepException.class)
        .isThrownBy(() -> StudyPlan.of(Sweeps.read(tiny)))
        .withMessageMatching(
            ".* train must take larger samples: with \\d+ steps at a sampling rate of 1.00e-09 a run"
                + " alone has an epsilon of 0.0 at delta 1.0E-5, of the budget's 1.0, with hardly"
                + " any noise\\s*");
  }

  @Test
  void ofAnEpsilonDpRun_theEpsilonAloneIsItsOwn() {
    String pure =
        Sweeps.FIXED.replaceAll("(?m)^  space: .*\\R", "")
            + "train: {method: output-perturbation, weightDecay: 0.1, loss: logistic,"
            + " noise: exponential}\n";
    StudyPlan plan = StudyPlan.of(Sweeps.read(pure.replace("classes: 10", "classes: 2")));
    assertThat(plan.charges())
        .singleElement()
        .satisfies(last -> assertThat(last.epsilon().value()).isBetween(0.9999, 1.0));
    PlanDocument document = PlanDocument.of(plan);
    assertThat(document.charges().get(0).epsilon()).isBetween(0.9999, 1.0);
    assertThat(PlanDocument.text(plan, Optional.empty())).containsPattern("final +1 *\\R");
  }

  @Test
  void theNoiseOfASampledRun_isSoMuchInALogitAsItsMuSays() {
    // nu = r s C/((1 - beta) mu n) must be the deviation eta sqrt(T) sigma C/((1 - beta) q n).
    PlannedTrial trial = PLAN.trials().get(1);
    double sigma = PLAN.sigma(PLAN.trialCharge(trial)).orElseThrow();
    double deviation =
        trial.point().learningRate() * Math.sqrt(STEPS) * sigma / (0.1 * 0.05 * 10_000);
    double nu = PLAN.sweep().runScale().logitNoise(trial.point().radius(), trial.mu());
    // Doubles' rounding.
    assertThat(nu).isCloseTo(deviation, org.assertj.core.data.Percentage.withPercentage(1e-10));
  }

  @Test
  void withEveryRowInEverySample_thePlanIsInMuAndThatOfNoisyGd() {
    StudyPlan whole =
        StudyPlan.of(Sweeps.read(Sweeps.SCALE_FREE + "train: {method: dp-sgd, samplingRate: 1}\n"));
    StudyPlan noisyGd = StudyPlan.of(Sweeps.read(Sweeps.SCALE_FREE));
    assertThat(whole.isInMu()).isTrue();
    assertThat(whole.whole()).isEqualTo(noisyGd.whole());
  }
}
