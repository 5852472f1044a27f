package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.TestDocument.Figure;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.score.NoisyClassMetrics;
import io.mutune.trainer.score.NoisyTestMetrics;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What the model is worth on private test rows: figures that follow from noisy counts, each with
 * the interval that the noise and the choice of the rows leave with 95%.
 *
 * @param noise the standard deviation of what was added to every count
 * @param baseline always saying the class that seems to have most rows
 * @param confusion counts by the class of a row, then by what the model says; noise may take them
 *     below 0
 */
public record NoisyTestDocument(
    @JsonUnwrapped NoisyTestRows rows,
    double noise,
    Baseline baseline,
    Figure accuracy,
    Figure balancedAccuracy,
    Figure macroF1,
    List<OfClass> classes,
    List<List<Double>> confusion) {

  /** What it says of every row, and the accuracy of that. */
  public record Baseline(String says, @JsonUnwrapped Figure figure) {}

  /**
   * Of one class.
   *
   * @param rows a noisy count
   */
  public record OfClass(String name, double rows, Figure precision, Figure recall, Figure f1) {}

  /** Empty unless private test rows were counted by what the model says of them. */
  static Optional<NoisyTestDocument> of(StudyResult result) {
    return result
        .test()
        .filter(NoisyTestMetrics.class::isInstance)
        .flatMap(metrics -> ((NoisyTestMetrics) metrics).classes())
        .map(metrics -> of(metrics, result.study().sweep()));
  }

  private static NoisyTestDocument of(NoisyClassMetrics metrics, SweepDefinition sweep) {
    List<String> names = sweep.data().classNames();
    return new NoisyTestDocument(
        NoisyTestRows.of(metrics.units(), sweep),
        metrics.sigma(),
        new Baseline(names.get(metrics.majority()), Figure.of(metrics.baseline())),
        Figure.of(metrics.accuracy()),
        Figure.of(metrics.balancedAccuracy()),
        Figure.of(metrics.macroF1()),
        IntStream.range(0, names.size())
            .mapToObj(
                c ->
                    new OfClass(
                        names.get(c),
                        TestDocument.round(metrics.rows(c)),
                        Figure.of(metrics.precision(c)),
                        Figure.of(metrics.recall(c)),
                        Figure.of(metrics.f1(c))))
            .toList(),
        metrics.cells().stream()
            .map(row -> row.stream().map(TestDocument::round).toList())
            .toList());
  }

  /** The figures in words. */
  public List<String> sentences() {
    return List.of(
        "%s of deviation %s: accuracy %s, where always saying %s has %s; balanced accuracy %s, macro F1 %s."
            .formatted(
                rows.words(),
                DisplayNumber.value(noise),
                accuracy.percent(),
                baseline.says(),
                DisplayNumber.percent(baseline.figure().value()),
                balancedAccuracy.percent(),
                macroF1.percent()),
        "Each range is what the noise and the choice of the rows leave with 95%. A class that is"
            + " rarer than the noise has one from 0% to 100%, and 50% in its middle says nothing.");
  }

  /** Precision, recall and F1 of every class. */
  public DataTable classTable() {
    return DataTable.of(
        List.of("class", rows.head(), "precision", "recall", "F1"),
        classes,
        c ->
            DataTable.row(
                c.name(),
                whole(c.rows()),
                c.precision().percent(),
                c.recall().percent(),
                c.f1().percent()));
  }

  /** A line for each class, a column for each that the model says; empty beyond 20 classes. */
  public Optional<DataTable> confusionTable() {
    return TestDocument.confusionTable(
        classes.stream().map(OfClass::name).toList(), confusion, NoisyTestDocument::whole);
  }

  private static String whole(double count) {
    return Long.toString(Math.round(count));
  }
}
