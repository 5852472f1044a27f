package io.mutune.orchestrator.report;

import io.mutune.orchestrator.study.StudyResult;
import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.Labelling;
import io.mutune.trainer.data.TargetRange;
import io.mutune.trainer.score.ClassMetrics;
import io.mutune.trainer.score.Estimate;
import io.mutune.trainer.score.TargetMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * What the model is worth on public test rows: figures of classes, or of real targets in their own
 * unit. Every figure follows from the released model and rows that need no protection.
 *
 * @param baseline what is to be beaten: always saying the class of most test rows, or the middle of
 *     the targets' public bounds
 * @param confusion rows by their class, then by what the model says
 */
record TestDocument(
    long rows,
    Baseline baseline,
    Optional<Figure> accuracy,
    OptionalDouble balancedAccuracy,
    OptionalDouble macroF1,
    Optional<List<OfClass>> classes,
    Optional<List<List<Long>>> confusion,
    Optional<Figure> meanAbsoluteError,
    OptionalDouble meanSquaredError,
    OptionalDouble r2) {
  /** Classes whose matrix a page shows. */
  private static final int MOST_SHOWN = 20;

  /** A figure with its 95% interval. */
  record Figure(double value, double low, double high) {
    static Figure of(Estimate estimate) {
      return new Figure(round(estimate.value()), round(estimate.low()), round(estimate.high()));
    }
  }

  /** What it says of every row, and the accuracy or the mean absolute error of that. */
  record Baseline(String says, double value) {}

  /** Of one class. */
  record OfClass(String name, long rows, double precision, double recall, double f1) {}

  /** Empty where there are no public test rows. */
  static Optional<TestDocument> of(StudyResult result) {
    Labelling labelling = result.study().sweep().data().training().spec().labelling();
    return result
        .test()
        .map(
            metrics ->
                metrics instanceof ClassMetrics classes
                    ? of(classes, ((ClassLabels) labelling).names())
                    : of((TargetMetrics) metrics, (TargetRange) labelling));
  }

  private static TestDocument of(ClassMetrics metrics, List<String> names) {
    List<OfClass> classes =
        IntStream.range(0, names.size())
            .mapToObj(c -> ofClass(names.get(c), metrics.classes().get(c)))
            .toList();
    return new TestDocument(
        metrics.rows(),
        new Baseline(names.get(metrics.majority()), round(metrics.baseline())),
        Optional.of(Figure.of(metrics.accuracy())),
        OptionalDouble.of(round(metrics.balancedAccuracy())),
        OptionalDouble.of(round(metrics.macroF1())),
        Optional.of(classes),
        metrics.confusion().isEmpty() ? Optional.empty() : Optional.of(metrics.confusion()),
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty());
  }

  private static OfClass ofClass(String name, ClassMetrics.OfClass of) {
    return new OfClass(name, of.rows(), round(of.precision()), round(of.recall()), round(of.f1()));
  }

  private static TestDocument of(TargetMetrics metrics, TargetRange range) {
    double unit = (range.max() - range.min()) / 2;
    Estimate error = metrics.absolute().times(unit);
    return new TestDocument(
        metrics.rows(),
        new Baseline(DisplayNumber.value(range.target(0)), unit * metrics.baseline()),
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(new Figure(error.value(), error.low(), error.high())),
        OptionalDouble.of(unit * unit * metrics.square()),
        metrics.r2());
  }

  /** A share to six digits after the point: no test has as many rows as more would need. */
  private static double round(double share) {
    return Math.rint(share * 1e6) / 1e6;
  }

  /** The figures in words, those beside which they have to be seen included. */
  String sentence() {
    return accuracy
        .map(
            figure ->
                "On %d public test rows: accuracy %s (95%% interval %s to %s), where always saying %s has %s; balanced accuracy %s, macro F1 %s."
                    .formatted(
                        rows,
                        DisplayNumber.percent(figure.value()),
                        DisplayNumber.percent(figure.low()),
                        DisplayNumber.percent(figure.high()),
                        baseline.says(),
                        DisplayNumber.percent(baseline.value()),
                        DisplayNumber.percent(balancedAccuracy.orElseThrow()),
                        DisplayNumber.percent(macroF1.orElseThrow())))
        .orElseGet(this::sentenceOfTargets);
  }

  private String sentenceOfTargets() {
    Figure error = meanAbsoluteError.orElseThrow();
    return "On %d public test rows: mean absolute error %s (95%% interval %s to %s), where always saying %s has %s; mean squared error %s%s."
        .formatted(
            rows,
            DisplayNumber.value(error.value()),
            DisplayNumber.value(error.low()),
            DisplayNumber.value(error.high()),
            baseline.says(),
            DisplayNumber.value(baseline.value()),
            DisplayNumber.value(meanSquaredError.orElseThrow()),
            r2.isPresent() ? ", R² " + DisplayNumber.value(r2.getAsDouble()) : "");
  }

  /** Precision, recall and F1 of every class; empty for real targets. */
  Optional<DataTable> classTable() {
    return classes.map(
        all ->
            new DataTable(
                List.of("class", "test rows", "precision", "recall", "F1"),
                all.stream()
                    .map(
                        c ->
                            DataTable.row(
                                c.name(),
                                Long.toString(c.rows()),
                                DisplayNumber.percent(c.precision()),
                                DisplayNumber.percent(c.recall()),
                                DisplayNumber.percent(c.f1())))
                    .toList()));
  }

  /** A line for each class, a column for each that the model says; empty beyond 20 classes. */
  Optional<DataTable> confusionTable() {
    if (confusion.isEmpty() || confusion.get().size() > MOST_SHOWN) {
      return Optional.empty();
    }
    List<OfClass> names = classes.orElseThrow();
    List<String> head = new ArrayList<>(List.of("class"));
    names.forEach(c -> head.add("said " + c.name()));
    List<DataTable.Row> lines = new ArrayList<>();
    for (int c = 0; c < names.size(); c++) {
      lines.add(
          new DataTable.Row(
              names.get(c).name(), confusion.get().get(c).stream().map(String::valueOf).toList()));
    }
    return Optional.of(new DataTable(head, lines));
  }
}
