package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.SpreadBin;
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
import java.util.stream.DoubleStream;

/** The targets of public test rows against what the model says of them. */
final class TargetsChart {
  private TargetsChart() {}

  /** Empty where labels are no numbers, or no row was judged. */
  static Optional<Chart> of(StudyDocuments study) {
    return study
        .result()
        .test()
        .flatMap(TestDocument::targets)
        .filter(bins -> bins.stream().anyMatch(bin -> bin.rows() > 0))
        .map(TargetsChart::of);
  }

  private static Chart of(List<SpreadBin> bins) {
    List<Dot> dots = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    for (SpreadBin bin : bins) {
      String range = DisplayNumber.value(bin.from()) + " to " + DisplayNumber.value(bin.to());
      if (bin.rows() == 0) {
        rows.add(DataTable.row(range, "0", "", "", ""));
        continue;
      }
      dots.add(new Dot(bin.said(), bin.median(), bin.low(), bin.high(), ""));
      rows.add(
          DataTable.row(
              range,
              Long.toString(bin.rows()),
              DisplayNumber.value(bin.said()),
              DisplayNumber.value(bin.median()),
              DisplayNumber.value(bin.low()) + " to " + DisplayNumber.value(bin.high())));
    }
    // One scale for both, so that the line where they are equal is the diagonal.
    double[] all =
        dots.stream()
            .flatMapToDouble(dot -> DoubleStream.of(dot.x(), dot.low(), dot.high()))
            .toArray();
    Axis x = Axis.linear("what the model says", all);
    Axis y = Axis.linear("target", all);
    return new Chart(
        "targets",
        "Targets against predictions",
        "Test rows by what the model says of them, in twenty equal parts of the public range: the"
            + " median of their targets, and bars from a tenth to nine tenths of them. On the line"
            + " the two are equal.",
        new Plot.Xy(
            x,
            y,
            List.of(
                new Series(
                    "as the model says",
                    Mark.DASHED,
                    List.of(Dot.at(x.min(), y.min()), Dot.at(x.max(), y.max()))),
                new Series("test rows, by parts", Mark.CIRCLE, dots))),
        new DataTable(List.of("it says", "rows", "mean said", "median", "10% to 90%"), rows));
  }
}
