package io.mutune.orchestrator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.TestStores;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Sweeps;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a comparison refuses before it reads a row: the files of these sweeps are not there. */
class ComparisonRunnerTest {
  private static final String OPEN =
      """
      version: 1
      name: open
      data:
        private:
          {path: a.csv, format: csv, features: 5, classes: 3, rows: 4000, declared: public}
        test: {path: t.csv}
      budget: {epsilon: 1, delta: 1.0e-5}
      search: {strategy: random, space: {learningRate: {min: 0.1, max: 1}, steps: 20}}
      """;

  private static final String PEOPLE =
      """
      version: 1
      name: people
      data:
        columns:
          who: {type: id}
          age: {type: number, min: 0, max: 100, fill: 40}
          class: {type: label, values: [low, high]}
        unit: {column: who, rows: 3, people: 4000}
        private: {path: a.csv, format: csv, declared: public}
        test: {path: t.csv}
      budget: {epsilon: 1, delta: 1.0e-5}
      search: {strategy: random, space: {learningRate: {min: 0.1, max: 1}, steps: 20}}
      """;

  private static final ComparisonSize SIZE = new ComparisonSize(RateRange.SENSIBLE, 1, 1, 1);

  private static ComparisonRunner runner(String text, ComparedStrategy... strategies) {
    return new ComparisonRunner(
        Sweeps.read(text), text, Sweeps.CONTEXT, SIZE, List.of(strategies), TestStores.NO_OWNERS);
  }

  private static void refused(String text, ComparedStrategy strategy, String why) {
    assertThatThrownBy(() -> runner(text, strategy))
        .as(strategy.key())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(strategy.key() + " must ")
        .hasMessageContaining(why);
  }

  @Test
  void theOracle_hasEachPointOnce_howeverFewStepsThereAre() {
    for (int steps : new int[] {1, 2, 20}) {
      String text = Sweeps.edited(OPEN, "steps: 20", "steps: " + steps);
      List<SweepDefinition> points =
          new ComparedSweeps(Sweeps.read(text), RateRange.SENSIBLE, 1).oracle();
      assertThat(points.stream().map(SweepDefinition::search).toList())
          .hasSize(12 * Math.min(steps, 3))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void whatRunRefuses_isRefusedHereByTheSameRule() {
    String replaced = Sweeps.edited(OPEN, "1.0e-5}", "1.0e-5, adjacency: replace-one}");
    refused(
        replaced,
        ComparedStrategy.SUBSAMPLED_TUNING,
        "what a sample costs is proved for added or removed rows");
    refused(
        OPEN + "train: {method: dp-sgd, samplingRate: 0.1}\n",
        ComparedStrategy.RANDOM_STOPPING,
        "charged as one Gaussian mechanism");
    String adam = OPEN + "train: {method: dp-adam, samplingRate: 1}\n";
    refused(adam, ComparedStrategy.FIXED, "whose noise in a logit is not known beforehand");
    refused(adam, ComparedStrategy.SCALE_FREE, "whose noise in a logit is not known beforehand");
    refused(
        OPEN + "train: {method: dp-sgd, samplingRate: 1}\n",
        ComparedStrategy.SUBSAMPLED_TUNING,
        "does not train on samples");
    refused(
        Sweeps.edited(OPEN, "1.0e-5}", "3.0e-25}"),
        ComparedStrategy.RANDOM_STOPPING,
        "a delta below");
    refused(PEOPLE, ComparedStrategy.SUBSAMPLED_TUNING, "where people would have to be sampled");
    refused(
        OPEN + "run: {noise: {grid: 40}}\n", ComparedStrategy.RANDOM_STOPPING, "noise on a grid");
    refused(
        OPEN + "features: [{type: private-mean, epsilon: 0.1, clipNorm: 1}]\n",
        ComparedStrategy.RANDOM_STOPPING,
        "a private-mean");
  }

  /** Strategies without a space have none to look for it in. */
  @ParameterizedTest
  @CsvSource({
    "'random, trials: 3','samplingRate: {min: 0.01, max: 0.9}',dp-sgd,samplingRate",
    "'random, trials: 3','batchSize: {min: 40, max: 400}',dp-sgd,samplingRate",
    "random-stopping,'clipNorm: {min: 0.1, max: 1}',noisy-gd,clipNorm",
    "linear-scaling,clipNorm: 0.5,noisy-gd,clipNorm",
  })
  void aNumberOfTheMethodThatIsSearched_isRefused(
      String strategy, String searched, String method, String key) {
    String text =
        Sweeps.edited(OPEN, "strategy: random", "strategy: " + strategy)
            .replace("steps: 20}", "steps: 20, %s}, score: {on: private, epsilon: 0.1}")
            .formatted(searched);
    assertThatThrownBy(() -> runner(text + "train: {method: " + method + "}\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a comparison has one %s for all strategies: give train.%s a number in place of what"
                + " search.space has",
            key, key);
  }

  /** None named: those that the sweep cannot have are left out, each with its reason. */
  @Test
  void theUsualStrategies_areThoseThatTheSweepCanHave() {
    assertThat(runner(OPEN).leftOut()).isEmpty();
    assertThat(runner(OPEN + "train: {method: dp-sgd, samplingRate: 0.1}\n").leftOut())
        .singleElement()
        .asString()
        .startsWith("random-stopping must not be with dp-sgd");
    assertThat(runner(OPEN + "train: {method: dp-adam, samplingRate: 1}\n").leftOut())
        .satisfiesExactly(
            why -> assertThat(why).startsWith("fixed must look for"),
            why -> assertThat(why).startsWith("scale-free must look for"));
  }

  @Test
  void aPlanThatIsFixedBeforehand_hasOneNumberOfStepsInEveryStrategy() {
    SweepDefinition sweep =
        Sweeps.read(OPEN + "train: {method: dp-sgd, samplingRate: 0.1, clipNorm: 1}\n");
    ComparedSweeps sweeps = new ComparedSweeps(sweep, RateRange.SENSIBLE, 1);

    for (ComparedStrategy strategy : ComparedStrategy.values()) {
      if (sweeps.refusal(strategy).isEmpty()) {
        StudyPlan plan = StudyPlan.of(sweeps.of(strategy, 1));
        assertThat(plan.sweep().search().fixedSteps()).as(strategy.key()).hasValue(20);
      }
    }
    assertThat(sweeps.refusal(ComparedStrategy.LINEAR_SCALING_PAPER)).isEmpty();
  }

  /** No strategy pays for scores that another one has for nothing. */
  @Test
  void publicValidationRows_areFreeToEveryStrategyThatScores() {
    String text =
        Sweeps.edited(OPEN, "test:", "validation: {path: v.csv}\n  test:")
            .replace("rows: 4000", "rows: 40000")
            .replace("strategy: random,", "strategy: grid, score: {on: validation},");
    ComparedSweeps sweeps = new ComparedSweeps(Sweeps.read(text), RateRange.SENSIBLE, 1);

    for (ComparedStrategy strategy : ComparedStrategy.values()) {
      SweepDefinition study = sweeps.of(strategy, 1);
      if (study.search().scores() && strategy != ComparedStrategy.LINEAR_SCALING_PAPER) {
        assertThat(study.score()).as(strategy.key()).isEqualTo(new ScoreRule.PublicValidation());
      }
    }
    assertThat(sweeps.of(ComparedStrategy.SCALE_FREE, 1).search().scores()).isTrue();
  }
}
