package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.plan.SecretRuns;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.RandomStopping;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.trainer.method.descent.NoisyGd;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The method's own numbers as dimensions of a search. */
class SearchedSettingsTest {
  private static final String RANDOM =
      Sweeps.HEAD
          + """
      search:
        strategy: random
        trials: 6
        space: {logitNoise: 1, steps: 40, clipNorm: {min: 0.1, max: 10}, weightDecay: {min: 1, max: 5, scale: linear}}
        score: {on: private, epsilon: 0.1}
      """;

  @Test
  void whatARunCosts_doesNotDependOnThem() {
    StudyPlan plan = StudyPlan.of(Sweeps.read(RANDOM));

    assertThat(plan.trials())
        .extracting(trial -> trial.point().settings().get("clipNorm"))
        .doesNotHaveDuplicates()
        .allSatisfy(clip -> assertThat(clip).isBetween(0.1, 10.0));
    List<Charge> charges = plan.trials().stream().map(plan::trialCharge).toList();
    assertThat(charges).extracting(Charge::mechanism).containsOnly(charges.get(0).mechanism());
    assertThat(plan.keepsBudget()).isTrue();
  }

  /** Tables have it as a heading. */
  @Test
  void aSettingOfATrainersOwn_hasAPlainName() {
    String text =
        RANDOM.replace("steps: 40,", "steps: 40, settings: {\"a,guarantee\": {min: 1, max: 2}},");

    assertThat(Sweeps.problems(text))
        .anySatisfy(
            problem ->
                assertThat(problem).contains("search.space must have settings named by a letter"));
    // The method has no such setting, which is asked of a stored study too; its form is not.
    assertThatExceptionOfType(InvalidSweepException.class)
        .isThrownBy(() -> SweepReader.readStored(Sweeps.FILE, text, Sweeps.CONTEXT))
        .satisfies(
            e -> assertThat(e.getMessage()).contains("must not have").doesNotContain("named by"));
  }

  @Test
  void aRunsMethod_hasThem_andAllElseOfTheSweep() {
    SweepDefinition sweep = Sweeps.read(RANDOM + "train: {momentum: 0.5, projectionRadius: 7}\n");
    PlannedTrial trial = StudyPlan.of(sweep).trials().get(0);
    Map<String, Double> chosen = trial.point().settings();

    NoisyGd method = (NoisyGd) sweep.train().method().with(chosen);

    assertThat(method.gradient().clipNorm().value()).isEqualTo(chosen.get("clipNorm"));
    assertThat(method.restraint().weightDecay()).isEqualTo(chosen.get("weightDecay"));
    assertThat(method.restraint().radius()).isEqualTo(7);
    assertThat(method.momentum()).isEqualTo(0.5);
  }

  @Test
  void aLattice_hasThreeOfEachUnlessItSays_andPaysForAll() {
    String grid =
        RANDOM.replace("strategy: random\n", "strategy: grid\n").replace("  trials: 6\n", "");
    String points = grid.replace("logitNoise: 1,", "logitNoise: {min: 0.5, max: 2},");

    assertThat(((BestOf) Sweeps.read(points).search()).runs()).isEqualTo(5 * 3 * 3);
    String two = points.replace("  space:", "  points: {values: 2, others: 2}\n  space:");
    assertThat(StudyPlan.of(Sweeps.read(two)).trials()).hasSize(2 * 2 * 2);
    assertThat(Sweeps.problems(two.replace("others: 2", "others: 100")))
        .singleElement()
        .asString()
        .contains("at most 10000 together");
  }

  @Test
  void randomStopping_drawsThemInSecret() {
    RandomStopping search =
        (RandomStopping)
            Sweeps.read(
                    RANDOM
                        .replace("strategy: random\n", "strategy: random-stopping\n")
                        .replace("  trials: 6\n", ""))
                .search();
    StudyPlan plan =
        StudyPlan.of(
            Sweeps.read(
                RANDOM
                    .replace("strategy: random\n", "strategy: random-stopping\n")
                    .replace("  trials: 6\n", "")));

    SecretRuns runs = plan.secretRuns().orElseThrow();
    TrialPoint point = search.draw(5, runs.scale(), runs.mu());

    assertThat(point.settings()).containsOnlyKeys("clipNorm", "weightDecay");
    assertThat(runs.training(point).mechanism())
        .isEqualTo(runs.training(search.draw(6, runs.scale(), runs.mu())).mechanism());
  }

  @Test
  void whatTheMethodDoesNotHave_orWouldBeCharged_isRefused() {
    refused(
        RANDOM
            .replace("weightDecay", "clipQuantile")
            .replace("max: 5", "max: 0.9")
            .replace("min: 1,", "min: 0.5,"),
        "must not have clipQuantile with noisy-gd");
    refused(
        RANDOM + "train: {method: dp-sgd, samplingRate: 0.5}\n",
        "must not have weightDecay with dp-sgd");
    refused(RANDOM + "run: {noise: {grid: 40}}\n", "must not have clipNorm with noise on a grid");
    refused(
        RANDOM.replace("strategy: random\n", "strategy: linear-scaling\n"),
        "must have no ranges of weightDecay with linear-scaling");
    refused(RANDOM.replace("max: 10}", "max: 0.01}"), "must be at least min");
  }

  /** Space stands on line 9 of the text, and train on line 11. */
  @Test
  void aNumberThatTrainGivesToo_isRefusedWithBothLines() {
    assertThat(Sweeps.problems(RANDOM + "train: {clipNorm: 3, momentum: 0.5}\n"))
        .containsExactly(
            "9: search.space.clipNorm looks for what train.clipNorm gives on line 11; leave one of"
                + " them out");
    assertThat(Sweeps.problems(RANDOM + "train: {clipNorm: 3, weightDecay: 0}\n")).hasSize(2);
    assertThat(
            Sweeps.problems(
                RANDOM.replace("weightDecay", "batchSize").replace("max: 5", "max: 500")
                    + "train: {method: dp-sgd, samplingRate: 0.5}\n"))
        .containsExactly(
            "9: search.space.batchSize looks for what train.samplingRate gives on line 11; leave"
                + " one of them out");
  }

  private static void refused(String sweep, String sentence) {
    assertThat(Sweeps.problems(sweep))
        .anySatisfy(problem -> assertThat(problem).contains(sentence));
  }
}
