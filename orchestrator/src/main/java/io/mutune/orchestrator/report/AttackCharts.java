package io.mutune.orchestrator.report;

import io.mutune.accountant.PrintedNumber;
import io.mutune.orchestrator.attack.NeighbourReport.Statistic;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.document.AttackDocument.Curve;
import io.mutune.orchestrator.document.AttackDocument.LowerBound;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The charts of an attack, from {@code attack.json}. */
final class AttackCharts {
  /** Where curves are told in numbers. */
  private static final double[] SHARES = {0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9};

  /** So many numbers of a study are drawn, those that tell most. */
  private static final int MOST_STRIPS = 12;

  private static final int MOST_LETTERS = 40;

  private AttackCharts() {}

  /**
   * All that there is to draw.
   *
   * @param prefix of the charts' ids
   */
  static List<Chart> of(AttackDocument attack, String prefix) {
    List<Chart> charts = new ArrayList<>();
    List<Bound> bounds = attack.lowerBound().map(bound -> shown(attack, bound)).orElse(List.of());
    if (!bounds.isEmpty()) {
      charts.add(bounds(attack, bounds, prefix));
    }
    List<Curve> curves = attack.curves().orElse(List.of());
    if (!curves.isEmpty()) {
      charts.add(curves(curves, prefix));
    }
    return charts;
  }

  /** The empirical ε, never without the guarantee beside it. */
  private static Chart bounds(AttackDocument attack, List<Bound> shown, String prefix) {
    double guaranteed = attack.guaranteed().orElseThrow().epsilon();
    boolean isVoid = attack.guaranteed().orElseThrow().isVoid();
    List<Plot.Strip> strips = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    double most = guaranteed;
    for (Bound bound : shown) {
      // The page says it to three digits where it is pointed at.
      double drawn = Double.parseDouble(PrintedNumber.down(bound.epsilon(), 3));
      String label = bound.name();
      strips.add(new Plot.Strip(cut(label), drawn, drawn, drawn, List.of()));
      rows.add(DataTable.row(label, PrintedNumber.down(bound.epsilon(), 4)));
      most = Math.max(most, drawn);
    }
    String stated = isVoid ? "stated, but does not hold" : "guaranteed: at most";
    rows.add(DataTable.row(stated, DisplayNumber.epsilon(guaranteed)));
    return new Chart(
        prefix + "bounds",
        "What was shown, and what is guaranteed",
        "Each point is a lower bound on epsilon at a confidence of %s: the study tells at least so much. The dashed line is %s."
            .formatted(
                AttackDocument.confidence(attack.lowerBound().orElseThrow()),
                isVoid ? "what is stated, which does not hold" : "the guarantee, an upper bound"),
        new Plot.Strips(
            Axis.linear("epsilon", 0, most),
            strips,
            List.of(new Plot.Line(stated, Mark.DASHED, guaranteed))),
        new DataTable(List.of("lower bound", "epsilon"), rows));
  }

  private record Bound(String name, double epsilon) {}

  private static List<Bound> shown(AttackDocument attack, LowerBound all) {
    if (attack.canaries().isPresent()) {
      return List.of(new Bound(attack.canaries().get().canaries() + " canaries", all.epsilon()));
    }
    return attack.numbers().orElse(List.of()).stream()
        .filter(Statistic::covered)
        .map(number -> new Bound(number.number(), number.epsilonAtLeast()))
        .sorted(Comparator.comparingDouble(bound -> -bound.epsilon()))
        .limit(MOST_STRIPS)
        .toList();
  }

  private static String cut(String label) {
    return label.length() > MOST_LETTERS ? label.substring(0, MOST_LETTERS - 1) + "…" : label;
  }

  private static Chart curves(List<Curve> curves, String prefix) {
    List<Plot.Series> series = new ArrayList<>();
    Mark[] marks = {Mark.SOLID, Mark.DASHED};
    List<String> head = new ArrayList<>(List.of("false positives"));
    for (Curve curve : curves) {
      series.add(new Plot.Series(curve.name(), marks[series.size() % 2], dots(curve)));
      head.add(curve.name());
    }
    series.add(new Plot.Series("guessing", Mark.DOTTED, List.of(Dot.at(0, 0), Dot.at(1, 1))));
    return new Chart(
        prefix + "roc",
        "Telling who took part",
        "True positives against false ones at every threshold; the dotted line is guessing.",
        new Plot.Xy(
            Axis.upTo("false positives", 1).inPercent(),
            Axis.upTo("true positives", 1).inPercent(),
            series),
        new DataTable(head, rows(curves)));
  }

  private static List<Dot> dots(Curve curve) {
    return curve.points().stream().map(p -> Dot.at(p.get(0), p.get(1))).toList();
  }

  /** By the points that the document has, so never above the curve. */
  private static List<DataTable.Row> rows(List<Curve> curves) {
    List<DataTable.Row> rows = new ArrayList<>();
    for (double share : SHARES) {
      List<String> cells =
          curves.stream()
              .map(
                  curve ->
                      DisplayNumber.percent(
                          dots(curve).stream()
                              .filter(dot -> dot.x() <= share)
                              .mapToDouble(Dot::y)
                              .max()
                              .orElse(0)))
              .toList();
      rows.add(new DataTable.Row(DisplayNumber.percent(share), cells));
    }
    return rows;
  }
}
