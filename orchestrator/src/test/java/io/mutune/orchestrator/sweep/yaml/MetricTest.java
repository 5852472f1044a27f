package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.trainer.score.Metric;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code search.metric}, and what it makes of a score's charge. */
class MetricTest {
  private static String balanced(String sweep) {
    return Sweeps.edited(sweep, "  strategy: ", "  metric: balanced-accuracy\n  strategy: ");
  }

  private static Gaussian score(String sweep) {
    StudyPlan plan = StudyPlan.of(Sweeps.read(sweep));
    Charge charge = plan.scoreCharge(plan.trials().get(0)).orElseThrow();
    return (Gaussian) charge.mechanism();
  }

  @Test
  void accuracy_isTheUsualOne() {
    assertThat(Sweeps.read(Sweeps.SCALE_FREE).metric()).isEqualTo(Metric.ACCURACY);
    assertThat(Sweeps.read(balanced(Sweeps.SCALE_FREE)).metric())
        .isEqualTo(Metric.BALANCED_ACCURACY);
    assertThat(Sweeps.read(balanced(Sweeps.LINEAR)).metric()).isEqualTo(Metric.BALANCED_ACCURACY);
  }

  /** Three trials at ε = 8, none at 0.3: the plan's choice, and no mistake of the sweep. */
  @Test
  void aProposalOfNoTrials_leavesItWithoutUse() {
    String proposed =
        Sweeps.edited(
            balanced(Sweeps.SCALE_FREE),
            "  sweeps:\n    - {epsilon: 0.2, trials: 3}\n  score: {on: private, epsilon: 0.02}\n",
            "");
    for (String epsilon : new String[] {"8", "0.3"}) {
      String sweep =
          Sweeps.edited(
              Sweeps.edited(proposed, "rows: 10000", "rows: 1300"),
              "epsilon: 1,",
              "epsilon: " + epsilon + ",");
      assertThat(StudyPlan.of(Sweeps.read(sweep)).trials()).hasSize(epsilon.equals("8") ? 3 : 0);
    }
  }

  /** A score costs what the sweep says; a row in another's place needs √2 the noise for that. */
  @Test
  void aScoreOfCounts_costsTheSame_withNoiseByItsSensitivity() {
    String replaced =
        Sweeps.SCALE_FREE.replace("delta: 1.0e-5}", "delta: 1.0e-5, adjacency: replace-one}");
    Gaussian accuracy = score(Sweeps.SCALE_FREE);
    assertThat(score(balanced(Sweeps.SCALE_FREE))).isEqualTo(accuracy);
    assertThat(score(replaced)).isEqualTo(accuracy);
    Gaussian other = score(balanced(replaced));
    assertThat(other.sensitivity()).isEqualTo(Math.nextUp(Math.sqrt(2)));
    assertThat(other.mu().orElseThrow().value())
        .isLessThanOrEqualTo(accuracy.mu().orElseThrow().value());
    assertThat(other.sigma().value()).isGreaterThan(1.414 * accuracy.sigma().value());
  }

  @Test
  void mistakes_areNotedWhereTheyStand() {
    assertThat(
            Sweeps.problems(
                balanced(Sweeps.SCALE_FREE).replace("classes: 3", "target: {min: 0, max: 1}")))
        .containsExactly(
            "7: search.metric must be accuracy or squared-error where targets are real: there are no"
                + " classes; was balanced-accuracy");
    assertThat(Sweeps.problems(metric("log-loss") + "train: {loss: hinge}\n"))
        .containsExactly(
            "7: search.metric must not be log-loss: train.loss knows no probabilities; was"
                + " log-loss");
  }

  private static String metric(String text) {
    return balanced(Sweeps.SCALE_FREE).replace("balanced-accuracy", text);
  }

  /** Histograms of three classes: one, or of bins one for each class. */
  @ParameterizedTest
  @CsvSource({
    "balanced-accuracy, 1, 2",
    "macro-f1, 1, 2",
    "{recall: 2}, 1, 2",
    "{f1: 0}, 1, 2",
    "auc, 3, 6",
    "log-loss, 1, 1",
  })
  void everyMetric_isChargedForTheVectorThatItCounts(String metric, int more, int other) {
    String replaced =
        metric(metric).replace("delta: 1.0e-5}", "delta: 1.0e-5, adjacency: replace-one}");
    assertThat(Math.pow(score(metric(metric)).sensitivity(), 2)).isCloseTo(more, within(1e-14));
    assertThat(Math.pow(score(replaced).sensitivity(), 2)).isCloseTo(other, within(1e-14));
    assertThat(score(replaced).mu().orElseThrow().value())
        .isLessThanOrEqualTo(score(Sweeps.SCALE_FREE).mu().orElseThrow().value())
        .isCloseTo(score(Sweeps.SCALE_FREE).mu().orElseThrow().value(), within(1e-9));
  }
}
