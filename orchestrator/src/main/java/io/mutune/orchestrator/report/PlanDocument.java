package io.mutune.orchestrator.report;

import io.mutune.accountant.Mu;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.plan.PlannedCharge;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.method.Searched;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A plan as {@code plan.json} and as text. */
public final class PlanDocument {
  private static final int[] SIGMA_STEPS = {10, 30, 100, 300, 1000};

  private PlanDocument() {}

  public static ObjectNode json(StudyPlan plan) {
    Budget budget = plan.sweep().budget();
    ObjectNode json = Json.document();
    json.put("name", plan.sweep().name());
    GuaranteeNote.put(json, VoidReasons.of(plan));
    json.put("strategy", plan.sweep().search().name());
    json.put("method", plan.sweep().train().method().name());
    json.put("rows", plan.sweep().rows());
    plan.sweep()
        .noise()
        .grid()
        .ifPresent(
            grid ->
                json.put("grid", grid.exponent()).put("sensitivity", sensitivity(plan.sweep())));
    json.set("budget", budget(budget));
    plan.sweep().search().why().ifPresent(why -> json.put("split", why));
    ArrayNode charges = json.putArray("charges");
    for (PlannedCharge charge : plan.charges()) {
      ObjectNode entry = charges.addObject().put("what", charge.what());
      charge.mu().ifPresent(mu -> entry.put("mu", mu.value()));
      entry.put("epsilon", charge.epsilon().value());
    }
    ArrayNode trials = json.putArray("trials");
    for (PlannedTrial trial : plan.trials()) {
      ObjectNode entry = trials.addObject().put("trial", trial.number());
      entry.put("sweep", trial.round());
      entry.put("epsilon", trial.epsilon().value());
      if (plan.isInMu()) {
        entry.put("mu", trial.mu().value());
      }
      if (trial.isPlaced()) {
        putPoint(entry, trial.point(), plan.sweep(), trial.mu());
      } else {
        entry.put("steps", trial.steps()).put("chosenBySweep", trial.round() - 1);
      }
      plan.sigma(plan.trialCharge(trial)).ifPresent(sigma -> entry.put("sigma", sigma));
    }
    ArrayNode sigmas = json.putArray("finalSigma");
    plan.finalSigmas(SIGMA_STEPS)
        .forEach((steps, sigma) -> sigmas.addObject().put("steps", steps).put("sigma", sigma));
    return json;
  }

  /** Of a step's sum, in clip norms, the rounding included. */
  private static double sensitivity(SweepDefinition sweep) {
    return sweep.train().method().sensitivity(sweep.budget().adjacency());
  }

  /** A budget as every document writes it. */
  public static ObjectNode budget(Budget budget) {
    return Json.object()
        .put("epsilon", budget.epsilon().value())
        .put("delta", budget.delta().value())
        .put("mu", budget.cap().mu().value())
        .put("adjacency", budget.adjacency().key());
  }

  /** What the search chose of a point, and what follows from it. */
  static void putPoint(ObjectNode entry, TrialPoint point, SweepDefinition sweep, Mu mu) {
    Searched tuned = sweep.train().method().searched();
    if (tuned.hasRate()) {
      entry.put("learningRate", point.learningRate());
    }
    if (tuned != Searched.NOTHING) {
      entry.put("steps", point.steps());
    }
    if (tuned.hasRate()) {
      entry.put("radius", point.radius()).put("logitNoise", sweep.runScale().logitNoise(point, mu));
    }
    point.sortedSettings().forEach((setting, value) -> entry.put(setting, value));
  }

  /** The plan for a terminal. */
  public static String text(StudyPlan plan) {
    Budget budget = plan.sweep().budget();
    StringBuilder text = new StringBuilder(GuaranteeNote.line(VoidReasons.of(plan)));
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %s with %s on %d rows (public count), %s neighbours%n",
            plan.sweep().name(),
            plan.sweep().search().name(),
            plan.sweep().train().method().name(),
            plan.sweep().rows(),
            budget.adjacency().key()));
    text.append(
        String.format(
            Locale.ROOT,
            "budget: epsilon %s at delta %s, which is mu %s; nothing was read yet%n%n",
            DisplayNumber.left(budget.epsilon()),
            DisplayNumber.delta(budget.delta()),
            DisplayNumber.cost(budget.cap().mu())));
    plan.sweep()
        .noise()
        .grid()
        .ifPresent(
            grid ->
                text.append(
                    String.format(
                        Locale.ROOT,
                        "sums and noise are multiples of 2^%d: with that rounding a row moves a sum"
                            + " by at most %s clip norms%n%n",
                        grid.exponent(),
                        sensitivity(plan.sweep()))));
    plan.sweep().search().why().ifPresent(why -> text.append("split: ").append(why).append("\n\n"));
    TextTable charges =
        plan.isInMu()
            ? new TextTable("charge", "mu", "epsilon alone", "share of budget")
            : new TextTable("charge", "mu", "epsilon alone");
    double capSquared = square(budget.cap().mu().value());
    for (PlannedCharge charge : plan.charges()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  charge.what(),
                  charge.mu().map(DisplayNumber::cost).orElse(""),
                  DisplayNumber.cost(charge.epsilon())));
      if (plan.isInMu()) {
        cells.add(DisplayNumber.percent(square(charge.mu().orElseThrow().value()) / capSquared));
      }
      charges.row(cells.toArray(String[]::new));
    }
    if (!plan.isInMu()) {
      charges.row("all together", "", DisplayNumber.cost(plan.total()));
    }
    text.append(charges).append('\n');
    if (!plan.trials().isEmpty()) {
      text.append(trials(plan)).append('\n');
    }
    if (plan.sweep().train().method().searched() == Searched.NOTHING) {
      return text.toString();
    }
    TextTable sigmas = new TextTable("steps of the final run", "sigma");
    plan.finalSigmas(SIGMA_STEPS)
        .forEach((steps, sigma) -> sigmas.row(Integer.toString(steps), DisplayNumber.sigma(sigma)));
    return text.append(sigmas).toString();
  }

  /** With what else the run has of its own. */
  static String rate(TrialPoint point) {
    StringBuilder text = new StringBuilder(DisplayNumber.value(point.learningRate()));
    point
        .sortedSettings()
        .forEach(
            (setting, value) ->
                text.append(", ").append(setting).append(' ').append(DisplayNumber.value(value)));
    return text.toString();
  }

  private static TextTable trials(StudyPlan plan) {
    RunScale scale = plan.sweep().runScale();
    TextTable table =
        new TextTable(
            "trial", "epsilon", "learning rate", "steps", "radius", "logit noise", "sigma");
    for (PlannedTrial trial : plan.trials()) {
      Optional<TrialPoint> point = trial.known();
      table.row(
          Integer.toString(trial.number()),
          DisplayNumber.cost(trial.epsilon()),
          point.map(PlanDocument::rate).orElse("by scores of sweep " + (trial.round() - 1)),
          Integer.toString(trial.steps()),
          point.map(p -> DisplayNumber.value(p.radius())).orElse(""),
          point.map(p -> DisplayNumber.value(scale.logitNoise(p, trial.mu()))).orElse(""),
          DisplayNumber.sigma(plan.sigma(plan.trialCharge(trial)).orElseThrow()));
    }
    return table;
  }

  private static double square(double x) {
    return x * x;
  }
}
