package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.trainer.loss.LogisticLoss;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Weights of classes in a sweep, and in the card of its table. */
class ClassWeightsReaderTest {
  private static final String TABLE =
      """
      version: 1
      name: table
      data:
        columns:
          x: {type: number, min: 0, max: 1}
          y: {type: label, values: ["no", "yes"], weights: {"yes": 4, "no": 1}}
        private: {path: a.csv, format: csv, rows: 1000}
      budget: {epsilon: 1, delta: 1.0e-5}
      search: {strategy: fixed, space: {learningRate: 1, steps: 10}}
      """;

  private static String linear(String weights) {
    return Sweeps.edited(Sweeps.LINEAR, "loss: logistic", "loss: logistic\n  " + weights);
  }

  @Test
  void aListOrAMapping_weighsTheClasses() {
    for (String weights :
        new String[] {"classWeights: [1, 30]", "classWeights: {yes: 60, no: 2}"}) {
      SweepDefinition sweep = Sweeps.read(linear(weights));
      assertThat(sweep.classWeights()).contains(Map.of("no", 1 / 30.0, "yes", 1.0));
      assertThat(sweep.train().loss().unweighted()).isEqualTo(new LogisticLoss());
    }
  }

  /** Three in a hundred say yes: a yes weighs 97/3 times as much. */
  @Test
  void publicFrequencies_areBalanced() {
    for (String weights :
        new String[] {
          "classWeights: {balanced: [0.97, 0.03]}",
          "classWeights: {balanced: {yes: 0.03, no: 0.97}}",
        }) {
      Map<String, Double> found = Sweeps.read(linear(weights)).classWeights().orElseThrow();
      assertThat(found.get("yes")).isOne();
      assertThat(found.get("no")).isCloseTo(3 / 97.0, within(1e-15));
    }
  }

  @Test
  void numbersName_theClassesOfACount() {
    String sweep = Sweeps.FIXED.replace("classes: 10", "classes: 2");
    assertThat(Sweeps.read(sweep + "train: {classWeights: {0: 1, 1: 4}}\n").classWeights())
        .contains(Map.of("0", 0.25, "1", 1.0));
  }

  @Test
  void theLabelColumnsWeights_countUnlessTheSweepHasItsOwn() {
    assertThat(Sweeps.read(TABLE).classWeights()).contains(Map.of("no", 0.25, "yes", 1.0));
    assertThat(Sweeps.read(TABLE + "train: {classWeights: [2, 1]}\n").classWeights())
        .contains(Map.of("no", 1.0, "yes", 0.5));
    assertThat(Sweeps.read(TABLE + "train: {classWeights: [5, 5]}\n").classWeights()).isEmpty();
  }

  @Test
  void mistakes_areNotedWhereTheyStand() {
    assertThat(Sweeps.problems(linear("classWeights: {no: 1, yess: 3}")))
        .containsExactly(
            "40: train.classWeights.yes is missing; every class has one, of which the ratios matter",
            "40: train.classWeights.yess is not a known key; did you mean yes?");
    assertThat(Sweeps.problems(linear("classWeights: {no: 0, yes: .inf}")))
        .containsExactly(
            "40: train.classWeights.no must be from 1e-9 to 1e9; was 0",
            "40: train.classWeights.yes must be a number; was .inf");
    assertThat(
            Sweeps.problems(
                Sweeps.FIXED.replace("classes: 10", "target: {min: 0, max: 1}")
                    + "train: {classWeights: [1, 2]}\n"))
        .containsExactly(
            "10: train.classWeights is for classes, and the targets are real; was given");
  }
}
