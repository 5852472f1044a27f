package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.document.NoisyTestDocument;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TestDocument;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Plot;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What the model says of the rows of each class. */
final class ConfusionChart {
  private ConfusionChart() {}

  /** Empty where there are no classes, or too many for a page. */
  static Optional<Chart> of(StudyDocuments study) {
    return study
        .result()
        .test()
        .flatMap(test -> test.confusionTable().map(table -> exact(test, table)))
        .or(
            () ->
                study
                    .result()
                    .privateTest()
                    .flatMap(test -> test.confusionTable().map(table -> noisy(test, table))));
  }

  private static Chart exact(TestDocument test, DataTable table) {
    return chart(
        "Every row of the square is a class of the test rows, in a stronger colour where more of it is said to be"
            + " of a class. On the diagonal is what the model gets right.",
        test.classes().orElseThrow().stream().map(TestDocument.OfClass::name).toList(),
        test.confusion().orElseThrow().stream()
            .map(row -> row.stream().map(Long::doubleValue).toList())
            .toList(),
        table);
  }

  private static Chart noisy(NoisyTestDocument test, DataTable table) {
    return chart(
        "Noisy counts of the "
            + (test.rows().unit().isPresent() ? "people" : "private test rows")
            + " of each class, in a stronger colour where more of it is said to be"
            + " of a class. On the diagonal is what the model gets right; noise may take a count"
            + " below 0.",
        test.classes().stream().map(NoisyTestDocument.OfClass::name).toList(),
        test.confusion(),
        table);
  }

  private static Chart chart(
      String meaning, List<String> names, List<List<Double>> counts, DataTable table) {
    return new Chart(
        "confusion",
        "What it says of rows of each class",
        meaning,
        new Plot.Matrix(
            "class",
            "said",
            names,
            IntStream.range(0, counts.size())
                .mapToObj(c -> cells(counts.get(c), table.rows().get(c).cells()))
                .toList()),
        table);
  }

  private static List<Plot.Cell> cells(List<Double> counts, List<String> texts) {
    double all = counts.stream().mapToDouble(count -> Math.max(0, count)).sum();
    return IntStream.range(0, counts.size())
        .mapToObj(c -> new Plot.Cell(all > 0 ? Math.max(0, counts.get(c)) / all : 0, texts.get(c)))
        .toList();
  }
}
