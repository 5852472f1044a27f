package io.mutune.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Audit;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.pld.PldAccountant;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Sweeps;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans that share the budget, pass it, or charge all runs at once. */
class BestOfPlanTest {
  private static final Delta DELTA = Delta.of(1e-5);

  private static StudyPlan plan(String search) {
    return plan(search, "", "");
  }

  private static StudyPlan plan(String search, String rows, String more) {
    return StudyPlan.of(read(search, rows, more));
  }

  private static SweepDefinition read(String search, String rows, String more) {
    return Sweeps.read(text(search, rows, more));
  }

  private static String text(String search, String rows, String more) {
    return """
        version: 1
        name: best
        data:
          private: {path: a.libsvm, format: libsvm, features: 20, classes: 3, rows: 10000%s}
        budget: {epsilon: 1, delta: 1.0e-5}
        search: {%s}
        %s
        """
        .formatted(rows, search, more);
  }

  private static String random(int trials) {
    return "strategy: random, trials: "
        + trials
        + ", space: {learningRate: {min: 0.1, max: 10}, steps: {min: 10, max: 100}}"
        + (trials > 1 ? ", score: {on: private, epsilon: 0.05}" : "");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 10, 33, 100})
  void dividedRuns_composeToTheWholeBudgetAndNoMore(int trials) {
    StudyPlan plan = plan(random(trials));
    List<Charge> charges = plan.whole();
    GaussianDp spent =
        GaussianDp.compose(
            charges.stream().map(c -> GaussianDp.of(c.mechanism().mu().orElseThrow())).toList());

    double cap = plan.budget().cap().mu().value();
    // What is left is rounding: of a root, a quotient and one σ a run.
    assertThat(spent.mu().value()).isLessThanOrEqualTo(cap).isGreaterThan(cap * (1 - 1e-9));
    charges.forEach(charge -> assertThat(plan.foresees(charge)).isTrue());
    assertThat(plan.size()).isEqualTo(charges.size());
    assertThat(plan.hasFinal()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10})
  void dividedRuns_auditedByIntegration_areTheBudgetTo1e9(int trials) {
    StudyPlan plan = plan(random(trials));
    List<Charge> charges = plan.whole();
    GaussianDp spent =
        GaussianDp.compose(
            charges.stream().map(c -> GaussianDp.of(c.mechanism().mu().orElseThrow())).toList());
    Epsilon epsilon = spent.epsilon(DELTA);

    Audit.Finding finding = Audit.check(plan.budget(), charges, epsilon, spent.mu());

    assertThat(finding.problems()).isEmpty();
    // The requirement's own tolerance.
    assertThat(finding.epsilon()).isCloseTo(epsilon.value(), within(1e-9));
    assertThat(epsilon.value()).isCloseTo(1, within(1e-8));
  }

  @Test
  void sampledRuns_shareTheBudgetByNumericalComposition() {
    StudyPlan plan =
        plan(
            "strategy: grid, points: {values: 3}, space: {logitNoise: {min: 0.1, max: 10}, steps:"
                + " 20}, score: {on: private, epsilon: 0.05}",
            "",
            "train: {method: dp-sgd, samplingRate: 0.1}");

    assertThat(plan.trials()).hasSize(3);
    assertThat(plan.isInMu()).isFalse();
    assertThat(plan.total().value()).isLessThanOrEqualTo(1).isGreaterThan(0.999);
    StudyPlan again = StudyPlan.of(plan.sweep(), plan.noiseLevels());
    assertThat(again.whole()).isEqualTo(plan.whole());
  }

  @Test
  void scoresThatSpendEverything_areRefused() {
    assertThatThrownBy(() -> plan(random(10).replace("0.05", "0.9")))
        .isInstanceOf(OverBudgetException.class);
  }

  @Test
  void runsThatEachSpendAll_areForOpenRowsAlone_andTheirTotalIsStated() {
    String whole = random(4).replace("strategy: random", "strategy: random, budget: whole");

    assertThat(Sweeps.problems(text(whole, "", "")))
        .singleElement()
        .asString()
        .contains("declared: public");
    StudyPlan plan = plan(whole, ", declared: simulated", "");
    assertThat(plan.keepsBudget()).isFalse();
    double one = plan.sweep().budget().cap().mu().value();
    assertThat(plan.target().mu().value()).isEqualTo(one);
    // Four runs at μ and four scores of ε 0.05: at least 2μ.
    assertThat(plan.budget().cap().mu().value()).isGreaterThanOrEqualTo(2 * one);
    plan.filter().check(List.of(), plan.whole().get(0));
  }

  @Test
  void runsThatEachSpendAll_onSamplesThatCostNothing_areRefused() {
    String whole =
        random(4)
            .replace("strategy: random", "strategy: random, budget: whole")
            .replace("{min: 10, max: 100}", "10");
    String tiny = "train: {method: dp-sgd, samplingRate: 1.0e-9}";
    assertThatThrownBy(() -> plan(whole, ", declared: simulated", tiny))
        .isInstanceOf(InvalidSweepException.class)
        .hasMessageContaining("train must take larger samples: with 10 steps");
  }

  @Test
  void anOracle_isForOpenRowsAlone() {
    String oracle =
        "strategy: oracle, space: {learningRate: {min: 0.1, max: 10}, steps: 50}, score: {on:"
            + " private, uncharged: true}";

    assertThat(Sweeps.problems(text(oracle, "", ""))).hasSize(2);
    assertThat(read(oracle, ", declared: public", "").score())
        .isInstanceOf(ScoreRule.Uncharged.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"geometric", "logarithmic", "poisson"})
  void randomStopping_isOneCharge_whoseEpsilonIsTheAccountantsTo1e9(String law) {
    StudyPlan plan =
        plan(
            "strategy: random-stopping, runs: {mean: 10, law: "
                + law
                + "}, space: {logitNoise: {min: 0.1, max: 10}, steps: 50}, score: {on: private,"
                + " epsilon: 0.02}");
    Charge charge = plan.secretRuns().orElseThrow().charge();

    PldAccountant whole = PldAccountant.of(List.of(charge.mechanism()), Adjacency.ADD_REMOVE);
    assertThat(plan.total().value()).isCloseTo(whole.epsilon(DELTA), within(1e-9));
    // Seven digits of σ leave less than this of the budget.
    assertThat(plan.total().value()).isLessThanOrEqualTo(1).isGreaterThan(1 - 1e-5);
    assertThat(plan.trials()).isEmpty();
    assertThat(plan.charges()).hasSize(1);
    assertThat(plan.foresees(charge)).isTrue();
  }

  @Test
  void aRunOfRandomStopping_asksNoMoreThanItsChargeHas() {
    StudyPlan plan =
        plan(
            "strategy: random-stopping, space: {logitNoise: {min: 0.1, max: 10}, steps: {min: 5,"
                + " max: 500}}, score: {on: private, epsilon: 0.02}");
    SecretRuns runs = plan.secretRuns().orElseThrow();
    RepeatAndSelect selection = (RepeatAndSelect) runs.charge().mechanism();
    double allowed = selection.run().mu().orElseThrow().value();
    GaussianDp score = gdp(runs.score().orElseThrow());

    for (int steps : new int[] {5, 17, 100, 499, 500}) {
      TrialPoint point = new TrialPoint(1, steps);
      GaussianDp asked = GaussianDp.compose(List.of(gdp(runs.training(point)), score));
      assertThat(asked.mu().value()).isLessThanOrEqualTo(allowed).isGreaterThan(0.999999 * allowed);
      NoiseMultiplier sigma = plan.finalNoise(point);
      assertThat(runs.training(point).mechanism()).isEqualTo(new Gaussian(sigma, 1, steps));
    }
  }

  private static GaussianDp gdp(Charge charge) {
    return GaussianDp.of(charge.mechanism().mu().orElseThrow());
  }

  @Test
  void aScoreDearerThanARun_isRefused() {
    assertThatThrownBy(
            () ->
                plan(
                    "strategy: random-stopping, space: {logitNoise: 1, steps: 5}, score: {on:"
                        + " private, epsilon: 0.9}"))
        .isInstanceOf(OverBudgetException.class)
        .hasMessageContaining("its score alone");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "strategy: random, space: {learningRate: {min: 2, max: 1}, steps: 5}",
        "strategy: grid, points: {steps: 9}, space: {learningRate: 1, steps: {min: 1, max: 3}},"
            + " score: {on: private, epsilon: 0.1}",
        "strategy: grid, points: {values: 2}, space: {learningRate: 1, steps: 5}, score: {on:"
            + " private, epsilon: 0.1}",
        "strategy: grid, points: {values: 5000, steps: 3}, space: {learningRate: {min: 1, max: 2},"
            + " steps: {min: 1, max: 9}}, score: {on: private, epsilon: 0.1}",
        "strategy: random, trials: 0, space: {learningRate: 1, steps: 5}",
        "strategy: random-stopping, runs: {mean: 1}, space: {learningRate: 1, steps: 5}, score: {on:"
            + " private, epsilon: 0.1}",
        "strategy: random-stopping, space: {learningRate: 1, steps: 5}",
        "strategy: random, space: {learningRate: 1, steps: 5}, score: {on: private, epsilon: 0.1}"
      })
  void whatMakesNoSense_isOneClearError(String search) {
    assertThat(Sweeps.problems(text(search, "", ""))).hasSize(1);
  }

  @Test
  void randomStopping_takesNoPrivateTestRows() {
    String text =
        text(
                "strategy: random-stopping, space: {learningRate: 1, steps: 5}, score: {on: private,"
                    + " epsilon: 0.02}",
                "",
                "")
            .replace("budget:", "  test: {path: b.libsvm, private: true, rows: 100}\nbudget:");

    assertThat(Sweeps.problems(text)).singleElement().asString().contains("how many runs");
  }
}
