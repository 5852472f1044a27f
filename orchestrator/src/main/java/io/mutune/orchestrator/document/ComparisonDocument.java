package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.mutune.orchestrator.compare.ComparedStrategy;
import io.mutune.orchestrator.compare.ComparisonSize;
import io.mutune.orchestrator.compare.PairedDifference;
import io.mutune.orchestrator.compare.Sample;
import io.mutune.orchestrator.compare.StrategyComparison;
import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import io.mutune.orchestrator.compare.StrategyComparison.Standing;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.PlanDocument.BudgetEntry;
import io.mutune.orchestrator.study.MetricWords;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * A comparison as {@code compare.json} and as a table.
 *
 * @param rows the public number, of people where these are the unit
 * @param unit {@code person}; empty where it is a row
 * @param measure what accuracies are: {@code closeness} where targets are real; empty of before
 *     that was written
 */
public record ComparisonDocument(
    String name,
    String notice,
    String declared,
    String method,
    long rows,
    Optional<String> unit,
    BudgetEntry budget,
    long seed,
    int repeats,
    Range range,
    Oracle oracle,
    Optional<String> measure,
    List<Compared> strategies)
    implements Document {
  private static final String ACCURACY = "accuracy";

  /** What figures are called. */
  public String measured() {
    return measure.orElse(ACCURACY);
  }

  /** What that means, as a sentence; empty of accuracies. */
  public Optional<String> meaning() {
    return measured().equals(MetricWords.CLOSENESS)
        ? Optional.of(
            "Figures are closeness: 1 - mean absolute error over the width of the targets' range.")
        : Optional.empty();
  }

  /** Of which strategies the stated ε does not hold, as a sentence; empty of none. */
  public Optional<String> withoutGuarantee() {
    String names =
        strategies.stream()
            .filter(Compared::isVoid)
            .map(Compared::strategy)
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The stated epsilon does not hold for "
                + names
                + ": some of what was looked at was not charged.");
  }

  /** What the strategies without a natural unit looked through. */
  public record Range(String name, Ends<Double> learningRate, Ends<Integer> steps) {}

  public record Ends<T>(T min, T max) {}

  /**
   * The best point that looks which nothing charged have found.
   *
   * @param point its numbers, each under its own key
   */
  @JsonPropertyOrder({"charged", "points", "looks", "point", "accuracy"})
  public record Oracle(
      boolean charged,
      int points,
      OptionalInt looks,
      @JsonAnyGetter @JsonAnySetter Map<String, Number> point,
      Accuracy accuracy,
      double trainedSteps,
      double seconds) {}

  public record Accuracy(
      double mean, double spread, double least, double greatest, List<Double> values) {
    static Accuracy of(Sample sample) {
      return new Accuracy(
          sample.mean(), sample.spread(), sample.least(), sample.greatest(), sample.values());
    }

    /** One alone has none. */
    public String shownSpread() {
      return values.size() > 1 ? DisplayNumber.percent(spread) : "-";
    }
  }

  /**
   * How one strategy did.
   *
   * @param guarantee {@code holds} or {@code void}
   */
  public record Compared(
      String strategy,
      String guarantee,
      Accuracy accuracy,
      Optional<Interval95> rerr,
      Optional<PairedDifference> overFixed,
      double epsilon,
      OptionalDouble tuningShare,
      int trials,
      double trainedSteps,
      double seconds,
      Map<String, Integer> guards) {
    static Compared of(Standing standing) {
      return new Compared(
          standing.strategy().key(),
          standing.holds() ? "holds" : "void",
          Accuracy.of(standing.accuracies()),
          standing.rerr(),
          standing.overFixed(),
          standing.epsilon(),
          standing.tuningShare(),
          standing.trials(),
          standing.trained(),
          standing.seconds(),
          standing.guards());
    }

    public String shownName() {
      return strategy + (isVoid() ? " (void)" : "");
    }

    public boolean isVoid() {
      return guarantee.equals("void");
    }

    public String shownGuards() {
      return guards.entrySet().stream()
          .map(guard -> guard.getKey() + " " + guard.getValue())
          .collect(Collectors.joining(", "));
    }
  }

  public static ComparisonDocument of(StrategyComparison comparison) {
    SweepDefinition sweep = comparison.sweep();
    ComparisonSize extent = comparison.extent();
    StrategyComparison.Oracle best = comparison.oracle();
    return new ComparisonDocument(
        sweep.name(),
        "an experiment on rows that the sweep declares "
            + sweep.data().declared().key()
            + ": every study spent the whole budget, so together they keep none, and the noise is"
            + " seeded; the oracle's looks were not charged at all",
        sweep.data().declared().key(),
        sweep.train().method().name(),
        sweep.rows(),
        PlanDocument.unit(sweep),
        BudgetEntry.of(sweep.budget()),
        extent.seed(),
        extent.repeats(),
        new Range(
            extent.range().key(),
            new Ends<>(comparison.rates().min(), comparison.rates().max()),
            new Ends<>(comparison.steps().min(), comparison.steps().max())),
        new Oracle(
            false,
            best.points(),
            OptionalInt.of(extent.looks()),
            RunEntry.point(best.point(), sweep, sweep.budget().cap().mu()),
            Accuracy.of(best.accuracies()),
            best.trained(),
            best.seconds()),
        Optional.of(sweep.hasRealTargets() ? MetricWords.CLOSENESS : ACCURACY),
        comparison.strategies().stream().map(Compared::of).toList());
  }

  /** What the public number is of. */
  public String counted() {
    return PlanDocument.counted(unit);
  }

  /** The paper's two tables in one: accuracy and error reduction, cost and time. */
  public String text() {
    StringBuilder text = new StringBuilder();
    withoutGuarantee().ifPresent(sentence -> text.append(sentence).append('\n'));
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %s on %d %s at epsilon %s, delta %s; %s, %s range (learning rate %s to"
                + " %s, %d to %d steps)%n",
            name,
            method,
            rows,
            counted(),
            DisplayNumber.epsilon(budget.epsilon()),
            DisplayNumber.delta(budget.delta()),
            DisplayNumber.counted(repeats, "repeat", "repeats"),
            range.name(),
            DisplayNumber.value(range.learningRate().min()),
            DisplayNumber.value(range.learningRate().max()),
            range.steps().min(),
            range.steps().max()));
    text.append("This is ").append(notice).append(".\n\n");
    List<DataTable.Row> lines = new ArrayList<>();
    for (Compared one : strategies) {
      String random = one.strategy().equals(ComparedStrategy.RANDOM.key()) ? "0%" : "-";
      lines.add(
          DataTable.row(
              one.shownName(),
              DisplayNumber.percent(one.accuracy().mean()),
              one.accuracy().shownSpread(),
              DisplayNumber.percent(one.accuracy().least()),
              one.rerr().map(rerr -> whole(rerr.value())).orElse(random),
              one.rerr()
                  .map(
                      rerr ->
                          DisplayNumber.interval(
                              rerr.low(), rerr.high(), ComparisonDocument::whole))
                  .orElse("-"),
              one.overFixed().map(PairedDifference::shown).orElse("-"),
              one.tuningShare().isPresent()
                  ? DisplayNumber.percent(one.tuningShare().getAsDouble())
                  : "-",
              Integer.toString(one.trials()),
              String.format(Locale.ROOT, "%.0f", one.trainedSteps()),
              DisplayNumber.value(one.seconds()),
              one.shownGuards()));
    }
    lines.add(
        DataTable.row(
            "oracle (not charged)",
            DisplayNumber.percent(oracle.accuracy().mean()),
            oracle.accuracy().shownSpread(),
            DisplayNumber.percent(oracle.accuracy().least()),
            "100%",
            "",
            "-",
            "-",
            Integer.toString(oracle.points()),
            String.format(Locale.ROOT, "%.0f", oracle.trainedSteps()),
            DisplayNumber.value(oracle.seconds()),
            ""));
    DataTable table =
        new DataTable(
            List.of(
                "strategy",
                "mean",
                "spread",
                "least",
                "RERR",
                "95%",
                "over fixed",
                "tuning",
                "trials",
                "steps",
                "seconds",
                "guards"),
            lines);
    return text.append(table.withoutEmptyColumns())
        .append(
            """

            mean, spread and least: of the test %s of the repeats, their mean, standard deviation and minimum.
            tuning: the part of the budget that trials and scores took. guards: what acted on a search, and how often.
            """
                .formatted(meaning().isPresent() ? measured() : "accuracies"))
        .append(meaning().map(sentence -> sentence + "\n").orElse(""))
        .append(
            String.format(
                Locale.ROOT,
                "%nThe oracle's best of %d points, each looked at %s: learning rate %s, %s steps.%n",
                oracle.points(),
                DisplayNumber.counted(oracle.looks().orElse(1), "time", "times"),
                DisplayNumber.value(oracle.point().getOrDefault("learningRate", 0).doubleValue()),
                oracle.point().get("steps")))
        .toString();
  }

  static String whole(double share) {
    return String.format(Locale.ROOT, "%.0f%%", 100 * share);
  }
}
