package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import io.mutune.orchestrator.report.OtherStudies.Tested;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The test figure against ε: this study among the others of its data set. */
final class StudiesChart {
  private StudiesChart() {}

  /** Empty where this study has no test figure, or no other one has. */
  static Optional<Chart> of(StudyDocuments study, List<Tested> others) {
    return others.isEmpty()
        ? Optional.empty()
        : OtherStudies.tested(study.result(), study.statement())
            .map(own -> chart(study, own, others));
  }

  private static Chart chart(StudyDocuments study, Tested own, List<Tested> others) {
    boolean accuracy = study.result().testAccuracy().isPresent();
    List<Tested> all = Stream.concat(Stream.of(own), others.stream()).toList();
    Axis x =
        Axis.fitting("ε of the whole study", 8, all.stream().mapToDouble(Tested::epsilon).toArray())
            .ofCosts();
    Axis y =
        Axis.linear(
            accuracy ? "test accuracy" : "test error",
            all.stream().mapToDouble(Tested::figure).toArray());
    List<Series> series = new ArrayList<>();
    add(series, "other studies", Mark.CIRCLE, others.stream().filter(Tested::holds).toList());
    add(
        series,
        "stated ε does not hold",
        Mark.CROSS,
        all.stream().filter(other -> !other.holds()).toList());
    add(series, "this study", Mark.STAR, own.holds() ? List.of(own) : List.of());
    return new Chart(
        "studies",
        (accuracy ? "Test accuracy" : "Test error") + " against ε across studies",
        "Finished studies of the same data that were in the same folder when this one ended. Each"
            + " ε is that of one study: whoever sees several sees releases that cost more together.",
        new Plot.Xy(x, y.inPercent(accuracy), series),
        DataTable.of(
            List.of("study", "strategy", "ε", accuracy ? "test accuracy" : "test error"),
            all,
            s ->
                DataTable.row(
                    s.name() + " " + s.id() + (s.equals(own) ? " (this one)" : ""),
                    s.strategy(),
                    DisplayNumber.epsilon(s.epsilon()) + (s.holds() ? "" : " (void)"),
                    accuracy
                        ? DisplayNumber.percent(s.figure())
                        : DisplayNumber.value(s.figure()))));
  }

  private static void add(List<Series> series, String name, Mark mark, List<Tested> studies) {
    if (!studies.isEmpty()) {
      series.add(
          new Series(
              name, mark, studies.stream().map(s -> Dot.at(s.epsilon(), s.figure())).toList()));
    }
  }
}
