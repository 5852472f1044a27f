package io.mutune.orchestrator.report;

import io.mutune.orchestrator.report.Plot.Span;
import io.mutune.orchestrator.report.Plot.Strip;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The charts of a comparison: how good each strategy was, how surely, and what it took. */
final class CompareCharts {
  /** Error reduction beyond these is cut: the chart is for what lies near 0 and 1. */
  private static final double LEAST_SHOWN = -1;

  private static final double MOST_SHOWN = 1.5;

  private CompareCharts() {}

  static List<Chart> of(JsonNode comparison) {
    return Stream.of(
            accuracies(comparison),
            errorReductions(comparison),
            spans(
                comparison,
                "tuning",
                "What tuning cost",
                "The part of the budget's μ² that did not go into the model that is the result.",
                "share of μ²",
                "tuningShare",
                true),
            spans(
                comparison,
                "time",
                "Time",
                "Seconds a study, side by side with others on the same machine.",
                "seconds a study",
                "seconds",
                false))
        .flatMap(Optional::stream)
        .toList();
  }

  static String name(JsonNode strategy) {
    return strategy.path("strategy").asString("")
        + (strategy.path("guarantee").asString("").equals("void") ? " (void)" : "");
  }

  /** The mean accuracy of the uncharged best point. */
  static OptionalDouble oracle(JsonNode oracle) {
    JsonNode accuracy = oracle.path("accuracy");
    JsonNode mean = accuracy.isObject() ? accuracy.path("mean") : accuracy;
    return mean.isNumber() ? OptionalDouble.of(mean.asDouble()) : OptionalDouble.empty();
  }

  private static Optional<Chart> accuracies(JsonNode comparison) {
    OptionalDouble oracle = oracle(comparison.path("oracle"));
    List<Strip> strips = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    List<Double> all = new ArrayList<>();
    oracle.ifPresent(all::add);
    for (JsonNode one : comparison.path("strategies")) {
      JsonNode accuracy = one.path("accuracy");
      List<Double> values = accuracy.path("values").valueStream().map(JsonNode::asDouble).toList();
      if (values.isEmpty()) {
        continue;
      }
      double mean = accuracy.path("mean").asDouble();
      strips.add(new Strip(name(one), mean, mean, mean, values));
      all.addAll(values);
      rows.add(
          DataTable.row(
              name(one),
              DisplayNumber.percent(mean),
              String.join(", ", values.stream().map(DisplayNumber::percent).toList())));
    }
    if (strips.isEmpty()) {
      return Optional.empty();
    }
    Axis x =
        Axis.linear("accuracy on the test rows", all.stream().mapToDouble(v -> v).toArray())
            .inPercent();
    return Optional.of(
        new Chart(
            "accuracies",
            "Accuracy of every repeat",
            "A ring is one repeat, a diamond the mean of a strategy."
                + (oracle.isPresent()
                    ? " The dashed line is the oracle, which is not charged."
                    : ""),
            new Plot.Strips(
                x,
                strips,
                oracle.isPresent()
                    ? List.of(
                        new Plot.Line("oracle, not charged", Mark.DASHED, oracle.getAsDouble()))
                    : List.of()),
            new DataTable(List.of("strategy", "mean", "each repeat"), rows)));
  }

  private static Optional<Chart> errorReductions(JsonNode comparison) {
    List<Strip> strips = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    for (JsonNode one : comparison.path("strategies")) {
      JsonNode rerr = one.path("rerr");
      if (!rerr.path("value").isNumber()) {
        continue;
      }
      double value = shown(rerr.path("value").asDouble());
      strips.add(
          new Strip(
              name(one),
              value,
              end(rerr, "low", LEAST_SHOWN),
              end(rerr, "high", MOST_SHOWN),
              List.of()));
      rows.add(DataTable.row(name(one), errorReduction(one)));
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
                + " intervals; what goes beyond the chart is cut there.",
            new Plot.Strips(
                Axis.linear("RERR", ends).inPercent(),
                strips,
                List.of(
                    new Plot.Line("random search", Mark.DOTTED, 0),
                    new Plot.Line("oracle, not charged", Mark.DASHED, 1))),
            new DataTable(List.of("strategy", "RERR (95% interval)"), rows)));
  }

  private static double end(JsonNode rerr, String key, double open) {
    return rerr.path(key).isNumber() ? shown(rerr.path(key).asDouble()) : open;
  }

  private static double shown(double reduction) {
    return Math.min(MOST_SHOWN, Math.max(LEAST_SHOWN, reduction));
  }

  /** With its interval; an end that the repeats could not place is none. */
  static String errorReduction(JsonNode strategy) {
    JsonNode rerr = strategy.path("rerr");
    if (!rerr.path("value").isNumber()) {
      return "";
    }
    JsonNode low = rerr.path("low");
    JsonNode high = rerr.path("high");
    String ends;
    if (low.isNumber()) {
      ends =
          high.isNumber()
              ? DisplayNumber.percent(low.asDouble())
                  + " to "
                  + DisplayNumber.percent(high.asDouble())
              : "above " + DisplayNumber.percent(low.asDouble());
    } else {
      ends = high.isNumber() ? "below " + DisplayNumber.percent(high.asDouble()) : "no bound";
    }
    return DisplayNumber.percent(rerr.path("value").asDouble()) + " (" + ends + ")";
  }

  private static Optional<Chart> spans(
      JsonNode comparison,
      String id,
      String title,
      String summary,
      String axis,
      String key,
      boolean percent) {
    DoubleFunction<String> text = percent ? DisplayNumber::percent : DisplayNumber::value;
    List<Span> spans = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    double most = 0;
    for (JsonNode one : comparison.path("strategies")) {
      if (one.path(key).isNumber()) {
        double value = one.path(key).asDouble();
        most = Math.max(most, value);
        spans.add(new Span(name(one), 0, value, text.apply(value), true));
        rows.add(DataTable.row(name(one), text.apply(value)));
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
            new Plot.Spans(percent ? x.inPercent() : x, spans),
            new DataTable(List.of("strategy", axis), rows)));
  }
}
