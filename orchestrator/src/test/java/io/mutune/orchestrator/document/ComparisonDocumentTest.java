package io.mutune.orchestrator.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.compare.ComparisonSize;
import io.mutune.orchestrator.compare.RateRange;
import io.mutune.orchestrator.compare.Sample;
import io.mutune.orchestrator.compare.StrategyComparison;
import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.report.ComparePage;
import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.search.StepRange;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.Sweeps;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonDocumentTest {
  @ParameterizedTest
  @CsvSource({
    "-0.5, 0.75, -50% to 75%",
    "-0.5, Infinity, above -50%",
    "-Infinity, 0.75, below 75%",
    "-Infinity, Infinity, no bound"
  })
  void anEndThatTheRepeatsLeaveOpen_isNoNumber(double low, double high, String shown) {
    Interval95 rerr = Interval95.of(0.5, low, high);
    assertThat(DisplayNumber.interval(rerr.low(), rerr.high(), ComparisonDocument::whole))
        .isEqualTo(shown);
  }

  private static ComparisonDocument document(String sweep) {
    return ComparisonDocument.of(
        new StrategyComparison(
            Sweeps.read(sweep),
            new ComparisonSize(RateRange.SENSIBLE, 1, 1, 1),
            new Interval(0.1, 1, Interval.Scale.LOG),
            new StepRange(1, 9),
            new StrategyComparison.Oracle(new TrialPoint(1, 9), 36, new Sample(List.of(0.9)), 1, 1),
            List.of()));
  }

  @Test
  void aNumberOfPeople_isNotCalledOneOfRows() {
    ComparisonDocument document =
        document(
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
            budget: {epsilon: 1, delta: 1.0e-5}
            search: {strategy: random, space: {learningRate: {min: 0.1, max: 1}, steps: 20}}
            """);

    assertThat(document.text()).contains(" on 4000 people at epsilon 1");
    assertThat(ComparePage.html(document)).contains(" on 4000 people (public count)");
  }

  /** A percentage of real targets is no share of rows that are right. */
  @ParameterizedTest
  @CsvSource({
    "'classes: 3', accuracy, 'of the test accuracies of'",
    "'target: {min: 0, max: 9}', closeness, '1 - mean absolute error over the width of the'"
  })
  void whatFiguresAre_isNamed(String labels, String measure, String words) {
    ComparisonDocument document =
        document(
            Sweeps.SCALE_FREE
                .replace("classes: 3", labels)
                .replace("budget: {epsilon: 1,", "budget: {epsilon: 1.2345671,"));

    assertThat(document.measured()).isEqualTo(measure);
    assertThat(document.text()).contains(words, "at epsilon 1.23457, ");
    assertThat(ComparePage.html(document).contains("Figures are closeness"))
        .isEqualTo(measure.equals("closeness"));
  }
}
