package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.CurveEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TestDocument;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** What thresholds reach on public test rows: ROC curves, and precision against recall. */
final class CurvesChart {
  /** More lines than these are nothing to look at. */
  private static final int MOST_CURVES = 4;

  private CurvesChart() {}

  /** Recall against false positives; empty where there are no curves, or too many. */
  static Optional<Chart> roc(StudyDocuments study) {
    return curves(study)
        .map(
            curves -> {
              List<Series> lines = lines(curves, CurveEntry::falsePositives, CurveEntry::recall);
              lines.add(new Series("by chance", Mark.DOTTED, List.of(Dot.at(0, 0), Dot.at(1, 1))));
              return new Chart(
                  "roc",
                  "ROC curve",
                  "What share of the rows of a class is called so, by what share of other rows is"
                      + " too, for every threshold.",
                  new Plot.Xy(
                      Axis.upTo("share of other rows called so", 1).inPercent(),
                      Axis.upTo("recall", 1).inPercent(),
                      lines),
                  table(curves));
            });
  }

  /** Precision against recall, likewise. */
  static Optional<Chart> precision(StudyDocuments study) {
    return curves(study)
        .map(
            curves ->
                new Chart(
                    "precision-recall",
                    "Precision and recall",
                    "How many of the rows that are called of a class are so, by what share of the"
                        + " class's rows is, for every threshold.",
                    new Plot.Xy(
                        Axis.upTo("recall", 1).inPercent(),
                        Axis.upTo("precision", 1).inPercent(),
                        lines(curves, CurveEntry::recall, CurveEntry::precision)),
                    table(curves)));
  }

  private static Optional<List<CurveEntry>> curves(StudyDocuments study) {
    return study
        .result()
        .test()
        .flatMap(TestDocument::curves)
        .filter(curves -> curves.size() <= MOST_CURVES);
  }

  private static List<Series> lines(
      List<CurveEntry> curves,
      Function<CurveEntry, List<Double>> x,
      Function<CurveEntry, List<Double>> y) {
    Mark[] marks = {Mark.SOLID, Mark.DASHED, Mark.DOTTED};
    List<Series> lines = new ArrayList<>();
    for (CurveEntry curve : curves) {
      List<Double> across = x.apply(curve);
      List<Double> up = y.apply(curve);
      lines.add(
          new Series(
              "class " + curve.name(),
              marks[lines.size() % marks.length],
              IntStream.range(0, across.size())
                  .mapToObj(i -> Dot.at(across.get(i), up.get(i)))
                  .toList()));
    }
    return lines;
  }

  private static DataTable table(List<CurveEntry> curves) {
    List<DataTable.Row> rows = new ArrayList<>();
    for (CurveEntry curve : curves) {
      for (int i = 0; i < curve.recall().size(); i += 5) {
        rows.add(
            DataTable.row(
                curve.name(),
                DisplayNumber.percent(curve.falsePositives().get(i)),
                DisplayNumber.percent(curve.recall().get(i)),
                DisplayNumber.percent(curve.precision().get(i))));
      }
    }
    return new DataTable(List.of("class", "others called so", "recall", "precision"), rows);
  }
}
