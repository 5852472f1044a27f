package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.NoisyTestDocument;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TestDocument;
import io.mutune.orchestrator.document.TestDocument.OfClass;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Plot;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * How well each class is found and named: a bar for each on public test rows, and what noise leaves
 * to know of it on private ones.
 */
final class ClassesChart {
  private static final String ID = "classes";
  private static final String MEANING =
      "F1 is the harmonic mean of precision (of the rows that it calls so, how many are) and recall (of"
          + " its rows, how many are called so).";

  private ClassesChart() {}

  /** Empty where there are no classes, or too many for a page. */
  static Optional<Chart> of(StudyDocuments study) {
    return study
        .result()
        .test()
        .flatMap(TestDocument::classes)
        .filter(classes -> classes.size() <= TestDocument.MOST_SHOWN)
        .map(ClassesChart::of)
        .or(
            () ->
                study
                    .result()
                    .privateTest()
                    .map(NoisyTestDocument::classes)
                    .filter(classes -> classes.size() <= TestDocument.MOST_SHOWN)
                    .map(ClassesChart::noisy));
  }

  private static Chart noisy(List<NoisyTestDocument.OfClass> classes) {
    return new Chart(
        ID,
        "F1 of each class",
        MEANING + " The ranges are what noise and the choice of the rows leave with 95%.",
        new Plot.Strips(
            Axis.upTo("F1", 1).inPercent(),
            classes.stream().map(c -> strip(c.name(), c.f1())).toList(),
            List.of()),
        DataTable.of(
            List.of("class", "F1"), classes, c -> DataTable.row(c.name(), c.f1().percent())));
  }

  /** A figure beside others, with its interval. */
  static Plot.Strip strip(String label, TestDocument.Figure figure) {
    return new Plot.Strip(label, figure.value(), figure.low(), figure.high(), List.of());
  }

  private static Chart of(List<OfClass> classes) {
    return new Chart(
        ID,
        "Precision, recall and F1 of each class",
        MEANING,
        new Plot.Bars(
            Axis.upTo("share", 1).inPercent(),
            classes.stream().map(OfClass::name).toList(),
            List.of(
                set("precision", classes, OfClass::precision),
                set("recall", classes, OfClass::recall),
                set("F1", classes, OfClass::f1))),
        DataTable.of(
            List.of("class", "precision", "recall", "F1"),
            classes,
            c ->
                DataTable.row(
                    c.name(),
                    DisplayNumber.percent(c.precision()),
                    DisplayNumber.percent(c.recall()),
                    DisplayNumber.percent(c.f1()))));
  }

  private static Plot.BarSet set(
      String name, List<OfClass> classes, ToDoubleFunction<OfClass> figure) {
    return new Plot.BarSet(name, classes.stream().map(c -> figure.applyAsDouble(c)).toList());
  }
}
