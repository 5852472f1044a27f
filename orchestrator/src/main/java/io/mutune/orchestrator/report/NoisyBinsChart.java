package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.NoisyTestFigures;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Strip;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How often a model was right about a class, by how sure it was, from noisy counts. */
final class NoisyBinsChart {
  private NoisyBinsChart() {}

  /** Of one class; empty where no bins were counted, or of several classes. */
  static Optional<Chart> of(StudyDocuments study) {
    return study
        .result()
        .privateFigures()
        .flatMap(
            figures ->
                figures
                    .probabilities()
                    .filter(bins -> bins.classes().size() == 1)
                    .map(bins -> of(bins.classes().get(0), figures.rows().head())));
  }

  private static Chart of(NoisyTestFigures.OfClass of, String counted) {
    List<Strip> strips = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    for (NoisyTestFigures.Bin bin : of.bins()) {
      String range = DisplayNumber.percent(bin.from()) + " to " + DisplayNumber.percent(bin.to());
      strips.add(ClassesChart.strip(range, bin.came()));
      rows.add(DataTable.row(range, Long.toString(Math.round(bin.rows())), bin.came().percent()));
    }
    return new Chart(
        "private-bins",
        "How often it was true, from noisy counts",
        "Of private test rows, by how sure the model was that they are of class "
            + of.name()
            + ", the share that is. Ranges are what noise and the choice of the rows leave with"
            + " 95%: a bin with fewer rows than the noise may have anything.",
        new Plot.Strips(Axis.upTo("share of the rows of a bin", 1).inPercent(), strips, List.of()),
        new DataTable(List.of("the model says", counted, "of the class"), rows));
  }
}
