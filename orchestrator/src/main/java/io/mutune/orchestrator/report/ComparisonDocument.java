package io.mutune.orchestrator.report;

import io.mutune.orchestrator.compare.ComparedStrategy;
import io.mutune.orchestrator.compare.Sample;
import io.mutune.orchestrator.compare.StrategyComparison;
import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import io.mutune.orchestrator.compare.StrategyComparison.Standing;
import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A comparison as {@code compare.json} and as a table. */
public final class ComparisonDocument {
  private ComparisonDocument() {}

  public static ObjectNode json(StrategyComparison comparison) {
    ObjectNode json = Json.document();
    json.put("name", comparison.sweep().name());
    json.put("notice", notice(comparison));
    json.put("declared", comparison.sweep().declared().key());
    json.put("method", comparison.sweep().train().method().name());
    json.put("rows", comparison.sweep().rows());
    json.set("budget", Json.tree(PlanDocument.BudgetEntry.of(comparison.sweep().budget())));
    json.put("seed", comparison.extent().seed()).put("repeats", comparison.extent().repeats());
    ObjectNode range = json.putObject("range").put("name", comparison.extent().range().key());
    Interval rates = comparison.rates();
    range.putObject("learningRate").put("min", rates.min()).put("max", rates.max());
    range
        .putObject("steps")
        .put("min", comparison.steps().min())
        .put("max", comparison.steps().max());
    StrategyComparison.Oracle oracle = comparison.oracle();
    ObjectNode best = json.putObject("oracle").put("charged", false).put("points", oracle.points());
    best.put("looks", comparison.extent().looks());
    SweepDefinition sweep = comparison.sweep();
    best.setAll(Json.tree(RunEntry.point(oracle.point(), sweep, sweep.budget().cap().mu())));
    putSample(best, oracle.accuracies());
    best.put("trainedSteps", oracle.trained()).put("seconds", oracle.seconds());
    ArrayNode strategies = json.putArray("strategies");
    for (Standing standing : comparison.strategies()) {
      ObjectNode entry = strategies.addObject().put("strategy", standing.strategy().key());
      entry.put("guarantee", standing.holds() ? "holds" : "void");
      putSample(entry, standing.accuracies());
      standing.rerr().ifPresent(rerr -> entry.set("rerr", interval(rerr)));
      entry.put("epsilon", standing.epsilon());
      standing.tuningShare().ifPresent(share -> entry.put("tuningShare", share));
      entry.put("trials", standing.trials());
      entry.put("trainedSteps", standing.trained()).put("seconds", standing.seconds());
      ObjectNode guards = entry.putObject("guards");
      standing.guards().forEach(guards::put);
    }
    return json;
  }

  private static void putSample(ObjectNode entry, Sample sample) {
    ObjectNode accuracy = entry.putObject("accuracy");
    accuracy.put("mean", sample.mean()).put("spread", sample.spread());
    accuracy.put("least", sample.least()).put("greatest", sample.greatest());
    sample.values().forEach(accuracy.putArray("values")::add);
  }

  /** Ends that the repeats could not place are null: JSON has no infinity. */
  private static ObjectNode interval(Interval95 interval) {
    ObjectNode json = Json.object().put("value", interval.value());
    putEnd(json, "low", interval.low());
    putEnd(json, "high", interval.high());
    return json;
  }

  private static void putEnd(ObjectNode json, String key, double end) {
    if (Double.isFinite(end)) {
      json.put(key, end);
    } else {
      json.putNull(key);
    }
  }

  /** What a comparison is, and is not. */
  static String notice(StrategyComparison comparison) {
    return "an experiment on rows that the sweep declares "
        + comparison.sweep().declared().key()
        + ": every study spent the whole budget, so together they keep none, and the noise is"
        + " seeded; the oracle's looks were not charged at all";
  }

  /** The paper's two tables in one: accuracy and error reduction, cost and time. */
  public static String text(StrategyComparison comparison) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %s on %d rows at epsilon %s, delta %s; %d repeats, %s range (learning rate %s to"
                + " %s, %d to %d steps)%n",
            comparison.sweep().name(),
            comparison.sweep().train().method().name(),
            comparison.sweep().rows(),
            DisplayNumber.left(comparison.sweep().budget().epsilon()),
            DisplayNumber.delta(comparison.sweep().budget().delta()),
            comparison.extent().repeats(),
            comparison.extent().range().key(),
            DisplayNumber.value(comparison.rates().min()),
            DisplayNumber.value(comparison.rates().max()),
            comparison.steps().min(),
            comparison.steps().max()));
    text.append("This is ").append(notice(comparison)).append(".\n\n");
    TextTable table =
        new TextTable(
            "strategy",
            "mean",
            "spread",
            "least",
            "RERR",
            "95%",
            "tuning",
            "trials",
            "steps",
            "seconds",
            "guards");
    for (Standing standing : comparison.strategies()) {
      Sample sample = standing.accuracies();
      table.row(
          standing.strategy().key() + (standing.holds() ? "" : " (void)"),
          DisplayNumber.percent(sample.mean()),
          DisplayNumber.percent(sample.spread()),
          DisplayNumber.percent(sample.least()),
          standing.rerr().map(rerr -> whole(rerr.value())).orElse(isRandom(standing) ? "0%" : "-"),
          standing.rerr().map(ComparisonDocument::ends).orElse("-"),
          standing.tuningShare().map(DisplayNumber::percent).orElse("-"),
          Integer.toString(standing.trials()),
          whole(standing.trained(), ""),
          DisplayNumber.value(standing.seconds()),
          standing.guards().entrySet().stream()
              .map(e -> e.getKey() + " " + e.getValue())
              .collect(Collectors.joining(", ")));
    }
    StrategyComparison.Oracle oracle = comparison.oracle();
    table.row(
        "oracle (not charged)",
        DisplayNumber.percent(oracle.accuracies().mean()),
        DisplayNumber.percent(oracle.accuracies().spread()),
        DisplayNumber.percent(oracle.accuracies().least()),
        "100%",
        "",
        "-",
        Integer.toString(oracle.points()),
        whole(oracle.trained(), ""),
        DisplayNumber.value(oracle.seconds()),
        "");
    return text.append(table)
        .append(
            String.format(
                Locale.ROOT,
                "%nThe oracle's best of %d points, each looked at %d times: learning rate %s, %d steps.%n",
                oracle.points(),
                comparison.extent().looks(),
                DisplayNumber.value(oracle.point().learningRate()),
                oracle.point().steps()))
        .toString();
  }

  private static boolean isRandom(Standing standing) {
    return standing.strategy() == ComparedStrategy.RANDOM;
  }

  /** An end that the repeats could not place is none. */
  static String ends(Interval95 interval) {
    boolean low = Double.isFinite(interval.low());
    boolean high = Double.isFinite(interval.high());
    if (low && high) {
      return whole(interval.low()) + " to " + whole(interval.high());
    }
    return low
        ? "above " + whole(interval.low())
        : high ? "below " + whole(interval.high()) : "no bound";
  }

  private static String whole(double share) {
    return whole(100 * share, "%");
  }

  private static String whole(double value, String unit) {
    return String.format(Locale.ROOT, "%.0f%s", value, unit);
  }
}
