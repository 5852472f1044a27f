package io.mutune.orchestrator.report;

import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.ComparisonDocument;
import io.mutune.orchestrator.document.ComparisonDocument.Compared;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Span;
import io.mutune.orchestrator.figure.Plot.Strip;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The charts of a comparison: how good each strategy was, how surely, and what it took. */
final class CompareCharts {
  /** Error reduction beyond these is cut: the chart is for what lies near 0 and 1. */
  private static final double LEAST_SHOWN = -1;

  private static final double MOST_SHOWN = 1.5;

  private CompareCharts() {}

  static List<Chart> of(ComparisonDocument comparison) {
    return Stream.of(
            accuracies(comparison),
            errorReductions(comparison),
            spans(
                comparison,
                "tuning",
                "What tuning cost",
                "The part of the budget's μ² that did not go into the model that is the result.",
                "share of μ²",
                Compared::tuningShare,
                true),
            spans(
                comparison,
                "time",
                "Time",
                "Seconds a study, side by side with others on the same machine.",
                "seconds a study",
                one -> OptionalDouble.of(one.seconds()),
                false))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<Chart> accuracies(ComparisonDocument comparison) {
    double oracle = comparison.oracle().accuracy().mean();
    List<Strip> strips = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    List<Double> all = new ArrayList<>(List.of(oracle));
    for (Compared one : comparison.strategies()) {
      List<Double> values = one.accuracy().values();
      double mean = one.accuracy().mean();
      strips.add(new Strip(one.shownName(), mean, mean, mean, values));
      all.addAll(values);
      rows.add(
          DataTable.row(
              one.shownName(),
              DisplayNumber.percent(mean),
              String.join(", ", values.stream().map(DisplayNumber::percent).toList())));
    }
    if (strips.isEmpty()) {
      return Optional.empty();
    }
    Axis x =
        Axis.linear(
                comparison.measured() + " on the test rows",
                all.stream().mapToDouble(v -> v).toArray())
            .inPercent();
    return Optional.of(
        new Chart(
            "accuracies",
            comparison.meaning().isPresent()
                ? "Closeness of every repeat"
                : "Accuracy of every repeat",
            "A ring is one repeat, a diamond the mean of a strategy. The dashed line is the oracle,"
                + " which is not charged.",
            new Plot.Strips(
                x, strips, List.of(new Plot.Line("oracle, not charged", Mark.DASHED, oracle))),
            new DataTable(List.of("strategy", "mean", "each repeat"), rows)));
  }

  private static Optional<Chart> errorReductions(ComparisonDocument comparison) {
    List<Strip> strips = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    for (Compared one : comparison.strategies()) {
      Interval95 rerr = one.rerr().orElse(null);
      if (rerr == null) {
        continue;
      }
      double low = rerr.low().isPresent() ? shown(rerr.low().getAsDouble()) : LEAST_SHOWN;
      double high = rerr.high().isPresent() ? shown(rerr.high().getAsDouble()) : MOST_SHOWN;
      strips.add(new Strip(one.shownName(), shown(rerr.value()), low, high, List.of()));
      rows.add(DataTable.row(one.shownName(), rerr.shown()));
    }
    if (strips.isEmpty()) {
      return Optional.empty();
    }
    double[] ends =
        DoubleStream.concat(
                DoubleStream.of(0, 1),
                strips.stream().flatMapToDouble(s -> DoubleStream.of(s.low(), s.high())))
            .toArray();
    return Optional.of(
        new Chart(
            "error-reduction",
            "Relative error rate reduction",
            "How much of the way from random search (0%) to the oracle (100%). Bars are 95%"
                + " intervals. What lies beyond -100% or 150%, or has no bound there, is drawn at that"
                + " end.",
            new Plot.Strips(
                Axis.linear("RERR", ends).inPercent(),
                strips,
                List.of(
                    new Plot.Line("random search", Mark.DOTTED, 0),
                    new Plot.Line("oracle, not charged", Mark.DASHED, 1))),
            new DataTable(List.of("strategy", "RERR (95% interval)"), rows)));
  }

  private static double shown(double reduction) {
    return Math.min(MOST_SHOWN, Math.max(LEAST_SHOWN, reduction));
  }

  private static Optional<Chart> spans(
      ComparisonDocument comparison,
      String id,
      String title,
      String summary,
      String axis,
      Function<Compared, OptionalDouble> of,
      boolean percent) {
    DoubleFunction<String> text = percent ? DisplayNumber::percent : DisplayNumber::value;
    List<Span> spans = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    double most = 0;
    for (Compared one : comparison.strategies()) {
      if (of.apply(one).isPresent()) {
        double value = of.apply(one).getAsDouble();
        most = Math.max(most, value);
        spans.add(new Span(one.shownName(), 0, value, text.apply(value), true));
        rows.add(DataTable.row(one.shownName(), text.apply(value)));
      }
    }
    if (spans.isEmpty()) {
      return Optional.empty();
    }
    Axis x = percent ? Axis.upTo(axis, 1) : Axis.linear(axis, 0, most);
    return Optional.of(
        new Chart(
            id,
            title,
            summary,
            new Plot.Spans(x.inPercent(percent), spans),
            new DataTable(List.of("strategy", axis), rows)));
  }
}
