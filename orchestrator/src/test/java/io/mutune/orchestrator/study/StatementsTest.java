package io.mutune.orchestrator.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.compare.PrivacyProfile;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.FormNote;
import io.mutune.orchestrator.sweep.Sweeps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StatementsTest {
  private static final String SAMPLED =
      Sweeps.HEAD
          + """
      search:
        strategy: random
        trials: 3
        space: {learningRate: {min: 0.1, max: 1}, steps: 20}
        score: {on: private, epsilon: 0.05}
      train: {method: dp-sgd, samplingRate: 0.1, clipNorm: 1}
      """;

  /**
   * How many steps the final run has may follow from scores, and how σ is rounded from the steps:
   * the guarantee is that of the worst choice.
   */
  @Test
  void whateverTheStepsOfTheFinalRun_theStatementHasTheMuOfThePlan() {
    int below = 0;
    for (String sweep : List.of(Sweeps.SCALE_FREE, Sweeps.FIXED)) {
      StudyPlan plan = StudyPlan.of(Sweeps.read(sweep));
      double planned = plan.totalMu().orElseThrow().value();
      assertThat(planned).isLessThanOrEqualTo(plan.budget().cap().mu().value());
      for (int steps = 1; steps <= 300; steps++) {
        List<Charge> charges = charges(plan, steps);

        PrivacyStatement statement = statement(plan, charges);

        assertThat(statement.mu().orElseThrow().value()).isEqualTo(planned);
        assertThat(statement.epsilon().value())
            .isLessThanOrEqualTo(plan.budget().epsilon().value());
        below += Balance.of(plan.budget(), charges).spent().mu().value() < planned ? 1 : 0;
      }
    }
    // Else there would be nothing to guard against.
    assertThat(below).isPositive();
  }

  /**
   * Whoever may stop a study when they like may stop it because of what it has released: the total
   * of the charges made by then holds for nobody.
   */
  @Test
  void aStudyThatWasStopped_statesItsWholePlan() {
    for (String sweep : List.of(Sweeps.SCALE_FREE, Sweeps.LINEAR)) {
      StudyPlan plan = StudyPlan.of(Sweeps.read(sweep));
      List<Charge> all = charges(plan, 7);
      PrivacyStatement whole = statement(plan, all);
      assertThat(all).hasSize(plan.size());
      for (int made = 1; made < all.size(); made++) {
        List<Charge> charges = all.subList(0, made);
        PrivacyStatement stopped = statement(plan, charges);
        assertThat(stopped.charges()).isEqualTo(charges);
        assertThat(stopped.epsilon()).isEqualTo(whole.epsilon());
        assertThat(stopped.mu()).isEqualTo(whole.mu());
      }
      assertThat(statement(plan, List.of()).epsilon().value()).isZero();
    }
  }

  /** A part of a plan without a μ, of which no more than the part would be told by its charges. */
  @Test
  void aSampledStudyThatWasStopped_statesItsWholePlan() {
    StudyPlan plan = StudyPlan.of(Sweeps.read(SAMPLED));
    List<Charge> all = charges(plan, 20);
    PrivacyStatement whole = statement(plan, all);
    PrivacyStatement stopped = statement(plan, all.subList(0, 2));

    assertThat(whole.mu()).isEmpty();
    assertThat(stopped.epsilon()).isEqualTo(whole.epsilon());
    assertThat(stopped.accountant()).isEqualTo(whole.accountant());
    assertThat(stopped.charges()).hasSize(2);
  }

  /** Two laws that are 1e-32 apart cost as much at no smaller δ than (1 + e^ε) times that. */
  @Test
  void whereTheLawOfSecretRunsIsNotNearEnough_noEpsilonIsStated() {
    StudyPlan plan =
        StudyPlan.of(
            Sweeps.read(
                Sweeps.edited(Sweeps.HEAD, "epsilon: 1,", "epsilon: 40,")
                    + """
                search:
                  strategy: random-stopping
                  space: {logitNoise: {min: 0.5, max: 5}, steps: 20}
                  score: {on: private, epsilon: 0.3}
                train: {method: noisy-gd}
                output: {deltas: [1.0e-100]}
                """));
    PrivacyStatement statement = statement(plan, plan.whole());
    Map<Double, Double> stated = new TreeMap<>();
    for (PrivacyProfile.At at : Statements.profile(plan, statement).epsilons()) {
      at.epsilon().ifPresent(epsilon -> stated.put(at.delta().value(), epsilon.value()));
    }
    assertThat(stated).containsKeys(1e-4, 1e-5).doesNotContainKeys(1e-10, 1e-100);
    stated.forEach(
        (delta, epsilon) -> assertThat(1e-25 * (1 + Math.exp(epsilon))).isLessThanOrEqualTo(delta));
  }

  @Test
  void realTargets_areScoredByCloseness() {
    String real = Sweeps.SCALE_FREE.replace("classes: 3", "target: {min: 0, max: 1}");
    assertThat(statement(StudyPlan.of(Sweeps.read(real)), List.of()).scoring())
        .contains("a noisy sum over private training rows of 1 - |prediction - target|")
        .doesNotContain("correct");
  }

  /** As a study makes them. */
  private static List<Charge> charges(StudyPlan plan, int finalSteps) {
    List<Charge> charges = new ArrayList<>();
    for (PlannedTrial trial : plan.trials()) {
      charges.add(plan.trialCharge(trial));
      plan.scoreCharge(trial).ifPresent(charges::add);
    }
    if (plan.chargesFinal()) {
      charges.add(plan.finalCharge(new TrialPoint(1, finalSteps)));
    }
    return charges;
  }

  private static PrivacyStatement statement(StudyPlan plan, List<Charge> charges) {
    return Statements.of(plan, charges, Exclusions.of(plan.sweep(), FormNote.notRecorded()));
  }
}
