package io.mutune.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Audit;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.SuccessiveHalving;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans of successive halving: all of them stands before a row is read. */
class HalvingPlanTest {
  private static final String SPACE = "space: {learningRate: {min: 0.1, max: 10}, steps: 50}";

  private static String text(String search, String more) {
    return """
        version: 1
        name: halving
        data:
          private: {path: a.libsvm, format: libsvm, features: 20, classes: 3, rows: 10000}
        budget: {epsilon: 1, delta: 1.0e-5}
        search: {strategy: successive-halving, %s}
        %s
        """
        .formatted(search, more);
  }

  private static StudyPlan plan(String search) {
    return StudyPlan.of(Sweeps.read(text(search, "")));
  }

  private static Mu spent(List<Charge> charges) {
    return GaussianDp.compose(
            charges.stream().map(c -> GaussianDp.of(c.mechanism().mu().orElseThrow())).toList())
        .mu();
  }

  @ParameterizedTest
  @CsvSource({"9, 3, 0.3", "2, 2, 0.3", "27, 2, 0.5", "100, 3, 0.9", "10, 10000, 0.01"})
  void proposedRounds_takeTheirShareAndNoMore_andTheFinalRunTheRest(
      int values, int factor, double tuning) {
    StudyPlan plan =
        plan(
            SPACE
                + ", points: {values: %d}, factor: %d, tuning: %s"
                    .formatted(values, factor, tuning));
    List<Charge> charges = plan.whole();
    double cap = plan.budget().cap().mu().value();
    double square = 0;
    for (PlannedTrial trial : plan.trials()) {
      double mu = plan.trialCharge(trial).mechanism().mu().orElseThrow().value();
      square += mu * mu;
    }

    List<Integer> sizes = SuccessiveHalving.sizes(values, factor);
    assertThat(plan.trials()).hasSize(sizes.stream().mapToInt(s -> s).sum());
    assertThat(square).isLessThanOrEqualTo(tuning * cap * cap);
    // What is lost is rounding: of an ε, a μ and a σ for each trial.
    assertThat(square).isGreaterThan(tuning * cap * cap * (1 - 1e-9));
    assertThat(spent(charges).value()).isLessThanOrEqualTo(cap).isGreaterThan(cap * (1 - 1e-9));
    charges.forEach(charge -> assertThat(plan.foresees(charge)).isTrue());
    // And 3% for the scores, which the sweep does not price.
    double last = plan.target().mu().value();
    assertThat(last * last).isCloseTo((1 - tuning - 0.03) * cap * cap, within(1e-9));
    assertThat(plan.finalCharge(new TrialPoint(1, 50)).mechanism().mu().orElseThrow().value())
        .isCloseTo(last, within(1e-9))
        .isLessThanOrEqualTo(last);
  }

  @Test
  void aPlan_auditedByIntegration_isTheBudgetTo1e9() {
    StudyPlan plan = plan(SPACE);
    List<Charge> charges = plan.whole();
    GaussianDp spent = GaussianDp.of(spent(charges));
    double epsilon = spent.epsilon(plan.budget().delta()).value();

    Audit.Finding finding =
        Audit.check(plan.budget(), charges, spent.epsilon(plan.budget().delta()), spent.mu());

    assertThat(finding.problems()).isEmpty();
    // The requirement's own tolerance.
    assertThat(finding.epsilon()).isCloseTo(epsilon, within(1e-9));
    assertThat(epsilon).isLessThanOrEqualTo(1);
    assertThat(plan.sweep().score()).isInstanceOf(ScoreRule.NoisyCount.class);
  }

  @Test
  void laterTrials_areDearer_andChosenByScores_asThePlanSays() {
    StudyPlan plan = plan(SPACE);

    assertThat(plan.trials()).hasSize(12);
    assertThat(plan.trials().subList(0, 9)).allMatch(PlannedTrial::isPlaced);
    assertThat(plan.trials().subList(9, 12)).noneMatch(PlannedTrial::isPlaced);
    // A third of the trials: the square of μ is three times as large.
    double first = plan.trials().get(0).mu().value();
    assertThat(plan.trials().get(11).mu().value()).isCloseTo(Math.sqrt(3) * first, within(1e-9));
    assertThat(PlanDocument.text(plan, Optional.empty()))
        .contains("split: sweeps of 9, 3 trials share 30.0% of mu squared")
        .containsPattern("12 .*by scores of sweep 1 +50 ");
    assertThat(
            Json.tree(PlanDocument.of(plan)).path("trials").get(11).path("chosenBySweep").asInt())
        .isEqualTo(1);
    assertThat(Json.tree(PlanDocument.of(plan)).path("trials").get(11).has("learningRate"))
        .isFalse();
  }

  @Test
  void roundsThatAreGiven_areTaken_andPassNoBudget() {
    String rounds =
        SPACE
            + ", points: {values: 4}, sweeps: [{epsilon: 0.1, trials: 4}, {epsilon: %s, trials: 2}],"
            + " score: {on: private, epsilon: 0.02}";
    StudyPlan plan = plan(rounds.formatted("0.3"));

    assertThat(plan.trials())
        .extracting(t -> t.epsilon().value())
        .containsExactly(0.1, 0.1, 0.1, 0.1, 0.3, 0.3);
    assertThat(spent(plan.whole()).value())
        .isCloseTo(plan.budget().cap().mu().value(), within(1e-9));
    assertThatThrownBy(() -> plan(rounds.formatted("0.9"))).isInstanceOf(OverBudgetException.class);
  }

  /** Its own plan would refuse it, or take more for a trial than its part. */
  @Test
  void soManyCandidatesThatTheirPartsHaveNoEpsilon_areRefusedByName_inANewSweepAlone() {
    String few = text(SPACE, "").replace("rows: 10000", "rows: 99").replace("1.0e-5", "1.0e-2");
    String less = few.replace("epsilon: 1,", "epsilon: 0.1,");
    String why =
        "search.sweeps must be given, with a score, or points be fewer: what the plan proposes";

    assertThat(StudyPlan.of(Sweeps.read(few)).trials()).isNotEmpty();
    assertThat(Sweeps.problems(less)).singleElement().asString().contains(why);
    String two = "successive-halving, points: {values: 2}, ";
    String dear = less.replace("successive-halving, ", two);
    assertThat(Sweeps.problems(dear)).singleElement().asString().contains(why);
    String priced = dear.replace(two, two + "score: {on: private, epsilon: 0.001}, ");
    assertThat(StudyPlan.of(Sweeps.read(priced)).trials()).hasSize(2);
    assertThat(SweepReader.readStored(Sweeps.FILE, less, Sweeps.CONTEXT).search().name())
        .isEqualTo("successive-halving");
  }

  /** The plan is fixed whichever candidates go on, so charges need no μ. */
  @Test
  void sampledRuns_arePlannedToTheLastDigit() {
    SweepDefinition sweep =
        Sweeps.read(
            text(
                "points: {values: 3}, space: {learningRate: {min: 0.1, max: 10}, steps: 5}, sweeps:"
                    + " [{epsilon: 0.2, trials: 3}, {epsilon: 0.2, trials: 2}], score: {on:"
                    + " private, epsilon: 0.05}",
                "train: {method: dp-sgd, samplingRate: 0.1}"));
    // Noise that a study was begun with, since finding it takes long.
    NoiseLevels begun = new NoiseLevels(Map.of(0.2, 4.0), 2);
    StudyPlan plan = StudyPlan.of(sweep, Optional.of(begun));

    assertThat(plan.isInMu()).isFalse();
    assertThat(plan.trialNoise(plan.trials().get(4)).value()).isEqualTo(4);
    assertThat(plan.trials().subList(3, 5)).noneMatch(PlannedTrial::isPlaced);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "space: {learningRate: 1, steps: 5}, points: {values: 1} | must be at least 2",
        "space: {learningRate: {min: 1, max: 2}, steps: {min: 1, max: 9}} | must have one number of steps",
        "space: {learningRate: {min: 1, max: 2}, steps: 5}, points: {values: 9999} | at most 10000 trials together",
        "space: {learningRate: {min: 1, max: 2}, steps: 5}, factor: 1 | search.factor must be",
        "space: {learningRate: {min: 1, max: 2}, steps: 5}, factor: 2.5 | search.factor must be",
        "space: {learningRate: {min: 1, max: 2}, steps: 5}, tuning: 0 | must be above 0 and below 1",
        "space: {learningRate: {min: 1, max: 2}, steps: 5}, tuning: 1 | must be above 0 and below 1",
        "space: {learningRate: {min: 1, max: 2}, steps: 5}, budget: whole | budget is not a known key",
        "space: {learningRate: {min: 1, max: 2}, steps: 5, samplingRate: {min: 0.1, max: 1}}, points: {others: 2} | would follow from scores",
        "steps: 5 | search.space is missing"
      })
  void whatMakesNoSense_isRefusedWithItsReason(String search, String message) {
    assertThat(Sweeps.problems(text(search, ""))).anyMatch(problem -> problem.contains(message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{epsilon: 0.1, trials: 8}] | must begin with a trial for each of the 9 candidates; was 8",
        "[{epsilon: 0.1, trials: 9}, {epsilon: 0.1, trials: 9}] | fewer trials from each to the next",
        "[{epsilon: 0.1, trials: 9}, {epsilon: 0.1, trials: 1}] | at least 2 trials each",
        "[] | must have at least one entry"
      })
  void roundsThatDoNotFall_areRefusedWithTheirReason(String sweeps, String message) {
    String search = SPACE + ", score: {on: private, epsilon: 0.02}, sweeps: " + sweeps;

    assertThat(Sweeps.problems(text(search, ""))).singleElement().asString().contains(message);
  }

  @Test
  void whatProposesRounds_isRefusedBesideThem() {
    String search =
        SPACE
            + ", score: {on: private, epsilon: 0.02}, sweeps: [{epsilon: 0.1, trials: 9}], tuning:"
            + " 0.2, factor: 2";

    assertThat(Sweeps.problems(text(search, "")))
        .hasSize(2)
        .allMatch(problem -> problem.contains("is for sweeps that the plan proposes"));
  }

  @Test
  void givenRounds_needAPriceForTheirScores() {
    assertThat(Sweeps.problems(text(SPACE + ", sweeps: [{epsilon: 0.1, trials: 9}]", "")))
        .singleElement()
        .asString()
        .contains("search.score is missing");
  }
}
