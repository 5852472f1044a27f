package io.mutune.orchestrator.document;

import io.mutune.accountant.Mu;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.Fit;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.method.TrainingMethod;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A study's result for a terminal. */
public final class ResultText {
  private ResultText() {}

  /** Trials, fit, final run and test accuracy for a terminal. */
  public static String of(StudyResult result) {
    StringBuilder text = new StringBuilder(GuaranteeNote.line(result.statement()));
    if (!result.trials().isEmpty()) {
      text.append(trials(result)).append('\n');
    }
    Decision decision = result.decision();
    ResultDocument document = ResultDocument.of(result);
    PlanDocument.of(result.study().plan())
        .noTrials()
        .ifPresent(line -> text.append(line).append('\n'));
    document.fitted().ifPresent(fit -> text.append(sentence(fit)).append('\n'));
    document.rounds().forEach(line -> text.append(line).append('\n'));
    decision
        .guards()
        .forEach(
            g ->
                text.append("Guard ")
                    .append(g.name())
                    .append(": ")
                    .append(g.action())
                    .append(".\n"));
    decision
        .kept()
        .ifPresent(
            trial -> text.append("The model of trial " + trial + " is the result as it is.\n"));
    text.append(finalRun(result)).append('\n');
    if (result.finalLostSteps() > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              "A crash lost %d of its steps; they stay charged and were not asked again.%n",
              result.finalLostSteps()));
    }
    document.testFigure().ifPresent(figure -> text.append(figure).append('\n'));
    document.testSentences().forEach(line -> text.append(line).append('\n'));
    document.groups().ifPresent(groups -> text.append('\n').append(groups));
    document.releases().ifPresent(all -> text.append('\n').append(ReleaseEntry.table(all)));
    return text.toString();
  }

  /** With what the search left to choose. */
  private static String finalRun(StudyResult result) {
    StudyPlan plan = result.study().plan();
    TrainingMethod method = plan.sweep().train().method();
    TrialPoint point = result.decision().point();
    return switch (method.searched()) {
      case NOTHING -> "Final run: " + method.name() + " with the settings of the sweep.";
      case STEPS ->
          String.format(
              Locale.ROOT,
              "Final run: %s, %d steps, sigma %s.",
              method.name(),
              point.steps(),
              DisplayNumber.sigma(ResultDocument.sigma(result).orElseThrow()));
      case RADIUS, LEARNING_RATE ->
          String.format(
              Locale.ROOT,
              "Final run: radius %s = learning rate %s x %d steps, %ssigma %s.",
              DisplayNumber.value(point.radius()),
              PlanDocument.rate(point),
              point.steps(),
              noise(plan.sweep(), point, plan.resultMu(result.decision())),
              DisplayNumber.sigma(ResultDocument.sigma(result).orElseThrow()));
    };
  }

  private static String noise(SweepDefinition sweep, TrialPoint point, Mu mu) {
    String noise = PlanDocument.noise(sweep, point, mu);
    return noise.isEmpty() ? "" : "logit noise " + noise + ", ";
  }

  private static DataTable trials(StudyResult result) {
    return DataTable.of(
        List.of("trial", "epsilon", "learning rate", "steps", "radius", "logit noise", "score"),
        result.trials(),
        outcome -> {
          TrialPoint point = outcome.trial().point();
          return DataTable.row(
              Integer.toString(outcome.trial().number()),
              DisplayNumber.cost(outcome.trial().epsilon()),
              PlanDocument.rate(point),
              Integer.toString(point.steps()),
              DisplayNumber.value(point.radius()),
              PlanDocument.noise(result.study().sweep(), point, outcome.trial().mu()),
              score(outcome));
        });
  }

  private static String score(TrialOutcome outcome) {
    if (outcome.score().isPresent()) {
      return DisplayNumber.percent(outcome.score().getAsDouble());
    }
    return outcome.state() == RunState.TRAINED ? "none" : "lost";
  }

  /** What was fitted, as a sentence. */
  public static String sentence(Fit fit) {
    List<Double> coefficients = fit.coefficients();
    if (!fit.kind().equals("polynomial")) {
      double best =
          fit.curve().stream().max(Comparator.comparingDouble(Fit.Point::y)).orElseThrow().x();
      return "Fit: expected score over logit noise; best at " + DisplayNumber.value(best);
    }
    if (coefficients.size() != 2) {
      return "Fit: a polynomial of degree " + (coefficients.size() - 1) + " over " + fit.axis();
    }
    double constant = coefficients.get(0);
    return String.format(
        Locale.ROOT,
        "Fit: %s = %s * %s %s %s",
        fit.value().equals("jointRadius") ? "radius * clipNorm" : "radius",
        DisplayNumber.value(coefficients.get(1)),
        fit.axis(),
        constant < 0 ? "-" : "+",
        DisplayNumber.value(Math.abs(constant)));
  }
}
