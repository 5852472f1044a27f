package io.mutune.orchestrator.report;

import io.mutune.accountant.PrintedNumber;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.NoisyTestFigures;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.RunEntry;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.StatementDocument.ChargeEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TestDocument;
import io.mutune.orchestrator.document.TestDocument.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A study at a glance: how good, how private, where the budget went, how long. */
final class Summary {
  private static final int DIGITS = 4;

  private Summary() {}

  /**
   * One figure.
   *
   * @param more what has to be seen beside it; may be empty
   */
  record Tile(String name, String value, String more) {}

  static List<Tile> of(StudyDocuments study) {
    List<Tile> tiles = new ArrayList<>();
    test(study.result()).ifPresent(tiles::add);
    tiles.add(privacy(study.statement()));
    budget(study).ifPresent(tiles::add);
    double seconds = study.result().seconds().orElse(0);
    if (seconds > 0) {
      int runs = study.runs().size() + study.result().releases().map(List::size).orElse(0);
      tiles.add(
          new Tile("Time", DisplayNumber.time(seconds), runs == 1 ? "1 run" : runs + " runs"));
    }
    return tiles;
  }

  private static Optional<Tile> test(ResultDocument result) {
    if (result.testAccuracy().isPresent()) {
      Optional<String> exact =
          result.test().map(t -> against(t.figure(), t.baseline().says(), t.baseline().value()));
      Optional<String> noisy =
          result
              .privateTest()
              .map(t -> against(t.accuracy(), t.baseline().says(), t.baseline().figure().value()));
      return Optional.of(
          new Tile(
              "Test accuracy",
              DisplayNumber.percent(result.testAccuracy().getAsDouble()),
              exact
                  .or(() -> noisy)
                  .or(() -> charged(result, f -> f.accuracy().map(a -> a.figure().shares())))
                  .orElse("noisy and charged")));
    }
    return result.testError().isPresent()
        ? Optional.of(
            new Tile(
                "Test error",
                DisplayNumber.value(result.testError().getAsDouble()),
                result
                    .test()
                    .map(Summary::againstMiddle)
                    .or(() -> charged(result, f -> f.meanAbsoluteError().map(Figure::range)))
                    .orElse("noisy and charged")))
        : Optional.empty();
  }

  /** Of a figure of private test rows, whose noise its interval counts. */
  private static Optional<String> charged(
      ResultDocument result, Function<NoisyTestFigures, Optional<String>> interval) {
    return result
        .privateFigures()
        .flatMap(interval)
        .map(found -> "noisy and charged, 95%% interval %s".formatted(found));
  }

  private static String against(String interval, String says, String baseline) {
    return "95%% interval %s; always saying %s has %s".formatted(interval, says, baseline);
  }

  private static String against(Figure accuracy, String says, double baseline) {
    return against(accuracy.shares(), says, DisplayNumber.percent(baseline));
  }

  private static String againstMiddle(TestDocument test) {
    Figure error = test.figure();
    return "mean absolute; "
        + against(
            error.range(), test.baseline().says(), DisplayNumber.value(test.baseline().value()));
  }

  private static Tile privacy(StatementDocument statement) {
    String epsilon = "ε " + PrintedNumber.up(statement.epsilon(), DIGITS);
    String more =
        "at δ "
            + DisplayNumber.delta(statement.delta())
            + (statement.mu().isPresent()
                ? ", μ " + PrintedNumber.up(statement.mu().getAsDouble(), DIGITS)
                : "")
            + ", all of the study together";
    return statement.holds()
        ? new Tile("Privacy", epsilon, more)
        : new Tile("Privacy", "none", "the stated " + epsilon + " does not hold");
  }

  /** Where it went, by kinds of charges; empty where shares do not add up. */
  private static Optional<Tile> budget(StudyDocuments study) {
    Map<String, Double> kinds = shares(study);
    if (kinds.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> kept = study.kept().map(RunEntry::name);
    String model = kept.orElse("final");
    double last = BudgetChart.share(study.charges(), model, study.statement().mu().orElse(0));
    kinds.merge(BudgetChart.kind(model), -last, Double::sum);
    kinds.remove(study.trials().size() == 1 && kept.isPresent() ? "trials" : "final");
    return Optional.of(
        new Tile(
            "Budget",
            DisplayNumber.percent(last)
                + " to "
                + kept.map(name -> name + ", which is kept").orElse("the final run"),
            kinds.entrySet().stream()
                .map(
                    kind ->
                        (kept.isPresent() && kind.getKey().equals("trials") ? "other " : "")
                            + kind.getKey()
                            + " "
                            + DisplayNumber.percent(kind.getValue()))
                .collect(Collectors.joining(", "))));
  }

  /** The share of the budget that each kind of charges took; none where shares do not add up. */
  static Map<String, Double> shares(StudyDocuments study) {
    Map<String, Double> kinds = new LinkedHashMap<>();
    double total = study.statement().mu().orElse(0);
    List<ChargeEntry> charges = study.charges();
    if (total <= 0 || charges.stream().anyMatch(charge -> charge.mu().isEmpty())) {
      return kinds;
    }
    for (ChargeEntry charge : charges) {
      double share = BudgetChart.square(charge.mu().orElse(0) / total);
      kinds.merge(BudgetChart.kind(charge.what()), share, Double::sum);
    }
    return kinds;
  }
}
