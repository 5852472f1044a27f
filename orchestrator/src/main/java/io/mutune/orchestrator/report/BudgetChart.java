package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.PlanDocument.ChargeCost;
import io.mutune.orchestrator.document.RunEntry;
import io.mutune.orchestrator.document.StatementDocument.ChargeEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the budget went: a waterfall in shares of μ², which add up. Where a charge has no μ nothing
 * adds up, and what each would cost alone stands beside the cost of all.
 */
final class BudgetChart {
  /** More bars than this are taken together by kind. */
  private static final int MOST_BARS = 14;

  /** What is left is drawn from here on; less is rounding. */
  private static final double VISIBLE = 1e-4;

  private BudgetChart() {}

  /** Empty where nothing was charged. */
  static Optional<Chart> of(StudyDocuments study) {
    List<ChargeEntry> charges = study.charges();
    if (charges.isEmpty()) {
      return Optional.empty();
    }
    boolean inMu =
        study.statement().mu().orElse(0) > 0
            && study.statement().budget().mu() > 0
            && charges.stream().allMatch(charge -> charge.mu().isPresent());
    return inMu ? Optional.of(waterfall(study, charges)) : alone(study);
  }

  private static Chart waterfall(StudyDocuments study, List<ChargeEntry> charges) {
    double whole = study.statement().budget().mu();
    double budget = square(whole);
    Map<String, Double> parts = new LinkedHashMap<>();
    boolean together = charges.size() > MOST_BARS;
    for (ChargeEntry charge : charges) {
      String what = charge.what();
      parts.merge(
          together ? kind(what) : what, square(charge.mu().orElse(0)) / budget, Double::sum);
    }
    List<Span> spans = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    double spent = 0;
    for (Map.Entry<String, Double> part : parts.entrySet()) {
      String share = DisplayNumber.percent(part.getValue());
      spans.add(new Span(part.getKey(), spent, spent + part.getValue(), share, true));
      spent += part.getValue();
      rows.add(DataTable.row(part.getKey(), share, DisplayNumber.percent(spent)));
    }
    if (spent < 1 - VISIBLE) {
      spans.add(new Span("not spent", spent, 1, DisplayNumber.percent(1 - spent), false));
      rows.add(DataTable.row("not spent", DisplayNumber.percent(1 - spent), ""));
    }
    double end = Math.max(1, spent);
    return new Chart(
        "budget",
        "Where the budget went",
        "Shares of μ² add up; the whole is the budget's μ = "
            + DisplayNumber.mu(study.statement().budget().mu())
            + ", squared. "
            + study
                .kept()
                .map(trial -> "The model of " + trial.name() + ", which is the result, took ")
                .orElse("The final run took ")
            + DisplayNumber.percent(
                share(charges, study.kept().map(RunEntry::name).orElse("final"), whole))
            + ".",
        new Plot.Spans(Axis.upTo("share of the budget's μ²", end).inPercent(), spans),
        new DataTable(List.of("charge", "share of μ²", "so far"), rows));
  }

  /** As planned, which is what each was charged. */
  private static Optional<Chart> alone(StudyDocuments study) {
    List<ChargeCost> planned = study.plan().charges();
    if (planned.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Double> parts = new LinkedHashMap<>();
    boolean together = planned.size() > MOST_BARS;
    for (ChargeCost charge : planned) {
      String what = charge.what();
      parts.merge(together ? "each of " + kind(what) : what, charge.epsilon(), Math::max);
    }
    double total = study.statement().epsilon();
    parts.put("all together", total);
    List<Span> spans = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    parts.forEach(
        (what, epsilon) -> {
          spans.add(new Span(what, 0, epsilon, DisplayNumber.epsilon(epsilon), true));
          rows.add(DataTable.row(what, DisplayNumber.epsilon(epsilon)));
        });
    double most = parts.values().stream().mapToDouble(e -> e).max().orElseThrow();
    double end = most > 0 ? most : 1;
    return Optional.of(
        new Chart(
            "budget",
            "What each charge would cost alone",
            "These ε do not simply add up. The last bar is what everything costs together, by the"
                + " accountant "
                + study.statement().accountant()
                + ".",
            new Plot.Spans(Axis.upTo("ε", end), spans),
            new DataTable(List.of("charge", "ε alone"), rows)));
  }

  /** What a charge of this name took of the μ² of so much μ. */
  static double share(List<ChargeEntry> charges, String what, double whole) {
    return charges.stream()
        .filter(charge -> charge.what().equals(what))
        .mapToDouble(charge -> square(charge.mu().orElse(0) / whole))
        .sum();
  }

  /** "trials" of "trial 12". */
  static String kind(String what) {
    String word = what.replaceAll(" \\d+$", "");
    return word.equals(what) ? what : word + "s";
  }

  static double square(double x) {
    return x * x;
  }
}
