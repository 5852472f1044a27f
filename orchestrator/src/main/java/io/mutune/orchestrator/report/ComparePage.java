package io.mutune.orchestrator.report;

import io.mutune.orchestrator.compare.PairedDifference;
import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.ComparisonDocument;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Figures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code compare.html}, and its figures, from {@code compare.json} alone. */
public final class ComparePage {
  private ComparePage() {}

  /** The page: one file that opens offline. */
  public static String html(ComparisonDocument comparison) {
    List<Chart> charts = CompareCharts.of(comparison);
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("comparison", comparison);
    page.put("epsilon", DisplayNumber.epsilon(comparison.budget().epsilon()));
    page.put("delta", DisplayNumber.delta(comparison.budget().delta()));
    page.put("range", range(comparison.range()));
    page.put("oracle", oracle(comparison.oracle()));
    page.put("void", Page.orNothing(comparison.withoutGuarantee()));
    page.put("meaning", Page.orNothing(comparison.meaning()));
    page.put("strategies", Page.table(table(comparison)));
    page.put("figures", Page.figures(charts));
    return Page.html("compare.mustache", page, charts);
  }

  /**
   * The same charts as SVG, for papers.
   *
   * @param folder made if need be
   * @throws IOException if a file cannot be written
   */
  public static void writeFigures(ComparisonDocument comparison, Path folder) throws IOException {
    Figures.write(CompareCharts.of(comparison), folder);
  }

  private static String range(ComparisonDocument.Range range) {
    return "%s: learning rate %s to %s, %s to %s steps"
        .formatted(
            range.name(),
            DisplayNumber.value(range.learningRate().min()),
            DisplayNumber.value(range.learningRate().max()),
            range.steps().min(),
            range.steps().max());
  }

  private static String oracle(ComparisonDocument.Oracle oracle) {
    return "The best of "
        + oracle.points()
        + " points, looked at "
        + (oracle.looks().isPresent()
            ? DisplayNumber.counted(oracle.looks().getAsInt(), "time each ", "times each ")
            : "")
        + "without charging anything: "
        + DisplayNumber.percent(oracle.accuracy().mean())
        + ". No study can know it; it is there to measure by.";
  }

  private static DataTable table(ComparisonDocument comparison) {
    return DataTable.of(
            List.of(
                "strategy",
                "mean",
                "spread",
                "least",
                "RERR",
                "over fixed",
                "ε",
                "tuning",
                "trials",
                "steps",
                "seconds",
                "guards"),
            comparison.strategies(),
            one ->
                DataTable.row(
                    one.shownName(),
                    DisplayNumber.percent(one.accuracy().mean()),
                    one.accuracy().shownSpread(),
                    DisplayNumber.percent(one.accuracy().least()),
                    one.rerr().map(Interval95::shown).orElse(""),
                    one.overFixed().map(PairedDifference::shown).orElse(""),
                    one.isVoid() ? "does not hold" : DisplayNumber.epsilon(one.epsilon()),
                    DisplayNumber.ifPresent(one.tuningShare(), DisplayNumber::percent),
                    Integer.toString(one.trials()),
                    DisplayNumber.value(one.trainedSteps()),
                    DisplayNumber.value(one.seconds()),
                    one.shownGuards()))
        .withoutEmptyColumns();
  }
}
