package io.mutune.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanExceededException;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.Sweeps;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What tuning on samples is charged, and what it cannot have beside it. */
class SubsampledPlanTest {
  private static StudyPlan plan() {
    return StudyPlan.of(Sweeps.read(Sweeps.SAMPLES));
  }

  @Test
  void allRuns_areOneSelectionOfSampledReleases_withTheEpsilonOfTheSweep() {
    StudyPlan plan = plan();

    Charge charge = plan.secretRuns().orElseThrow().charge();
    RepeatAndSelect selection = (RepeatAndSelect) charge.mechanism();
    SubsampledGaussian run = (SubsampledGaussian) selection.run();

    assertThat(charge.what()).isEqualTo("tuning");
    assertThat(run.samplingRate()).isEqualTo(0.2);
    // One release, however many steps: they share their sample.
    assertThat(run.count()).isEqualTo(1);
    // Nothing is lost but what σ is rounded by, in its seventh digit.
    assertThat(PlanTotal.of(plan.budget(), List.of(charge)).epsilon().value())
        .isBetween(0.5 * (1 - 1e-5), 0.5);
  }

  @Test
  void theTrainingAndTheScoreOfARun_areWhatItIsChargedFor() {
    StudyPlan plan = plan();
    SecretRuns runs = plan.secretRuns().orElseThrow();
    RepeatAndSelect selection = (RepeatAndSelect) runs.charge().mechanism();
    SubsampledGaussian run = (SubsampledGaussian) selection.run();
    TrialPoint point = new TrialPoint(1, 40);

    double training = runs.training(point).mechanism().mu().orElseThrow().value();
    double score = runs.score().orElseThrow().mechanism().mu().orElseThrow().value();

    assertThat(Math.hypot(training, score) * run.sigma().value()).isBetween(1 - 1e-9, 1 + 1e-12);
    assertThat(runs.rows()).isEqualTo(2000);
  }

  @Test
  void tuningAndTheFinalRun_keepTheBudgetTogether_andUseIt() {
    StudyPlan plan = plan();
    Charge last = plan.finalCharge(new TrialPoint(1, 40));

    assertThat(last.mechanism()).isInstanceOf(Gaussian.class);
    assertThat(plan.charges()).extracting(PlannedCharge::what).containsExactly("tuning", "final");
    assertThat(plan.total().value()).isBetween(1 - 1e-5, 1.0);
    assertThat(
            PlanTotal.of(plan.budget(), List.of(plan.secretRuns().orElseThrow().charge(), last))
                .epsilon())
        .isEqualTo(plan.total());
    assertThat(plan.foresees(last)).isTrue();
    assertThat(plan.foresees(plan.secretRuns().orElseThrow().charge())).isTrue();
  }

  @Test
  void aStudyThatWasBegun_hasItsNoiseAgain() {
    StudyPlan plan = plan();

    StudyPlan again = StudyPlan.of(Sweeps.read(Sweeps.SAMPLES), plan.noiseLevels());

    assertThat(again.secretRuns().map(SecretRuns::charge))
        .isEqualTo(plan.secretRuns().map(SecretRuns::charge));
    assertThat(again.finalCharge(new TrialPoint(1, 40)))
        .isEqualTo(plan.finalCharge(new TrialPoint(1, 40)));
    assertThat(StudyPlan.of(Sweeps.read(Sweeps.SAMPLES), Optional.empty()).noiseLevels())
        .isEqualTo(plan.noiseLevels());
  }

  /** ν of a run on a fifth of the rows is that of a fifth of n. */
  @Test
  void theBestRunsNu_isCarriedOver() {
    StudyPlan plan = plan();
    SecretRuns runs = plan.secretRuns().orElseThrow();
    double radius = runs.scale().radius(2, runs.mu());

    TrialPoint point =
        SecretTrials.carriedOver(
                new TrialPoint(radius / 40, 40),
                runs.scale(),
                runs.mu(),
                plan.sweep().runScale(),
                plan.target().mu())
            .point();

    assertThat(runs.scale().rows()).isEqualTo(2000);
    assertThat(plan.sweep().runScale().logitNoise(point.radius(), plan.target().mu()))
        .isBetween(2 * (1 - 1e-12), 2 * (1 + 1e-12));
  }

  @Test
  void tuningThatLeavesNothing_isRefusedWithItsNumbers() {
    for (String epsilon : new String[] {"epsilon: 1.5", "epsilon: 1.0"}) {
      assertThatThrownBy(
              () ->
                  StudyPlan.of(Sweeps.read(Sweeps.edited(Sweeps.SAMPLES, "epsilon: 0.5", epsilon))))
          .isInstanceOf(PlanExceededException.class);
    }
  }

  @Test
  void aScoreThatLeavesTheTrainingNothing_isRefused() {
    assertThatThrownBy(
            () ->
                StudyPlan.of(
                    Sweeps.read(
                        Sweeps.edited(
                            Sweeps.SAMPLES, "private, epsilon: 0.3", "private, epsilon: 50"))))
        .isInstanceOf(PlanExceededException.class)
        .hasMessageContaining("its score alone has");
  }

  @Test
  void whatASampleDoesNotSuit_isNamed() {
    refused("steps: 40", "steps: {min: 20, max: 40}", "one number of steps");
    refused("sampleRate: 0.2", "sampleRate: 1", "from 0.001 to 0.999");
    refused("  epsilon: 0.5\n", "", "of all runs on samples together");
    refused("delta: 1.0e-5}", "delta: 1.0e-5, adjacency: replace-one}", "added or removed rows");
    refused("version: 1\n", "version: 1\ntrain: {method: dp-sgd, samplingRate: 1}\n", "samples of");
    refused("version: 1\n", "version: 1\noutput: {perInstance: r.csv}\n", "runs are secret");
    refused("version: 1\n", "version: 1\nrun: {noise: {grid: 40}}\n", "noise on a grid");
    refused(
        "rows: 10000}\n",
        "rows: 10000}\n  test: {path: t.csv, private: true, rows: 100}\n",
        "must be public with subsampled-tuning");
    assertThat(
            Sweeps.problems(
                Sweeps.edited(
                        Sweeps.SAMPLES,
                        "rows: 10000}\n",
                        "rows: 10000}\n  validation: {path: v.csv, private: true, rows: 100}\n")
                    .replace("on: private", "on: validation")))
        .anySatisfy(p -> assertThat(p).contains("no sample is taken of"));
  }

  private static void refused(String text, String instead, String sentence) {
    assertThat(Sweeps.problems(Sweeps.edited(Sweeps.SAMPLES, text, instead)))
        .as(instead)
        .anySatisfy(problem -> assertThat(problem).contains(sentence));
  }
}
