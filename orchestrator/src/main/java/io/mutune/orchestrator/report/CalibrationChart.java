package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.CalibrationEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TestDocument;
import io.mutune.orchestrator.document.TestDocument.Figure;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How often what a model calls so probable came true, on public test rows. */
final class CalibrationChart {
  private CalibrationChart() {}

  /** Empty where the model says no probabilities, or no row was judged. */
  static Optional<Chart> of(StudyDocuments study) {
    return study
        .result()
        .test()
        .flatMap(TestDocument::calibration)
        .filter(calibration -> calibration.bins().stream().anyMatch(bin -> bin.rows() > 0))
        .map(CalibrationChart::of);
  }

  private static Chart of(CalibrationEntry calibration) {
    List<Dot> dots = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    for (CalibrationEntry.Bin bin : calibration.bins()) {
      String range = DisplayNumber.value(bin.from()) + " to " + DisplayNumber.value(bin.to());
      if (bin.rows() == 0) {
        rows.add(DataTable.row(range, "0", "", "", ""));
        continue;
      }
      Figure came = bin.came();
      dots.add(new Dot(bin.said(), came.value(), came.low(), came.high(), ""));
      rows.add(
          DataTable.row(
              range,
              Long.toString(bin.rows()),
              DisplayNumber.percent(bin.said()),
              DisplayNumber.percent(came.value()),
              came.shares()));
    }
    return new Chart(
        "calibration",
        "Calibration",
        "How often it came true that a row is of "
            + calibration.of()
            + ", by the probability that the model gave to it. Where probabilities can be taken at"
            + " their word the points lie on the line. Bars are 95% intervals.",
        new Plot.Xy(
            Axis.upTo("probability that the model says", 1).inPercent(),
            Axis.upTo("share of rows of which it was true", 1).inPercent(),
            List.of(
                new Series("as often as said", Mark.DASHED, List.of(Dot.at(0, 0), Dot.at(1, 1))),
                new Series("test rows, by tenths", Mark.CIRCLE, dots))),
        new DataTable(List.of("probability", "rows", "mean said", "came true", "95%"), rows));
  }
}
