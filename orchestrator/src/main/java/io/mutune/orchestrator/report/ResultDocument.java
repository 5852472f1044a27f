package io.mutune.orchestrator.report;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.Fit;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.TrialState;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.trainer.data.Labelling;
import io.mutune.trainer.data.TargetRange;
import io.mutune.trainer.feature.Centre;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.method.TrainingMethod;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A study's result as {@code result.json}, {@code trials.csv} and text. */
public final class ResultDocument {
  private ResultDocument() {}

  public static ObjectNode json(StudyResult result) {
    SweepDefinition sweep = result.study().sweep();
    ObjectNode json = Json.document();
    json.put("study", result.study().id()).put("name", sweep.name());
    GuaranteeNote.put(json, result.statement());
    if (result.testAccuracy().isPresent()) {
      double score = result.testAccuracy().getAsDouble();
      if (sweep.training().spec().labelling() instanceof TargetRange range) {
        json.put("testError", meanAbsoluteError(score, range));
      } else {
        json.put("testAccuracy", score);
      }
    }
    for (FeatureMap map : result.features().maps()) {
      if (map instanceof Centre centre) {
        json.put("privateMean", centre.isZero() ? "lost" : "released");
      }
    }
    json.put("strategy", sweep.search().name()).put("method", sweep.train().method().name());
    json.put("dataSet", DataSetIdentity.of(sweep));
    TrialScores.of(result).ifPresent(scores -> json.set("scores", scores.json()));
    ObjectNode last = json.putObject("final");
    StudyPlan plan = result.study().plan();
    PlanDocument.putPoint(last, result.decision().point(), sweep, plan.resultMu(result.decision()));
    sigma(result).ifPresent(sigma -> last.put("sigma", sigma));
    result.decision().from().ifPresent(before -> last.put("from", before));
    last.put("lostSteps", result.finalLostSteps());
    ArrayNode trials = json.putArray("trials");
    for (TrialOutcome outcome : result.trials()) {
      ObjectNode trial = trials.addObject().put("trial", outcome.trial().number());
      trial.put("sweep", outcome.trial().round());
      trial.put("epsilon", outcome.trial().epsilon().value());
      PlanDocument.putPoint(trial, outcome.trial().point(), sweep, outcome.trial().mu());
      plan.sigma(outcome.charge()).ifPresent(sigma -> trial.put("sigma", sigma));
      outcome.trial().from().ifPresent(before -> trial.put("from", before));
      trial.put("lostSteps", outcome.lostSteps());
      outcome.score().ifPresent(score -> trial.put("score", score));
      trial.put("state", outcome.state().name().toLowerCase(Locale.ROOT));
    }
    result.decision().fit().ifPresent(fit -> json.set("fit", fit(fit)));
    ArrayNode guards = json.putArray("guards");
    result
        .decision()
        .guards()
        .forEach(g -> guards.addObject().put("guard", g.name()).put("action", g.action()));
    result.decision().score().ifPresent(score -> last.put("score", score));
    if (Double.isFinite(result.seconds())) {
      json.put("seconds", result.seconds());
    }
    result
        .provenance()
        .ifPresent(
            provenance ->
                json.set(
                    "provenance",
                    ProvenanceDocument.json(provenance.processes(), provenance.data())));
    return json;
  }

  private static ObjectNode fit(Fit fit) {
    ObjectNode json = Json.object();
    json.put("kind", fit.kind()).put("axis", fit.axis()).put("value", fit.value());
    fit.coefficients().forEach(json.putArray("coefficients")::add);
    putPoints(json.putArray("points"), fit.points());
    putPoints(json.putArray("curve"), fit.curve());
    return json;
  }

  private static void putPoints(ArrayNode array, List<Fit.Point> points) {
    points.forEach(p -> array.addObject().put("x", p.x()).put("y", p.y()));
  }

  /** A line a trial, full precision. */
  public static String csv(StudyResult result) {
    RunScale scale = result.study().sweep().runScale();
    StringBuilder csv =
        new StringBuilder(
            "version,trial,sweep,epsilon,mu,learningRate,steps,radius,logitNoise,sigma,"
                + "lostSteps,score,state,guarantee");
    for (String setting : TrainDefinition.searchable()) {
      csv.append(',').append(setting);
    }
    csv.append(",from\n");
    for (TrialOutcome outcome : result.trials()) {
      TrialPoint point = outcome.trial().point();
      List<Object> cells =
          List.of(
              1,
              outcome.trial().number(),
              outcome.trial().round(),
              outcome.trial().epsilon().value(),
              result.study().plan().isInMu() ? outcome.trial().mu().value() : "",
              point.learningRate(),
              point.steps(),
              point.radius(),
              scale.logitNoise(point, outcome.trial().mu()),
              result.study().plan().sigma(outcome.charge()).orElseThrow(),
              outcome.lostSteps(),
              outcome.score().isPresent() ? outcome.score().getAsDouble() : "",
              outcome.state().name().toLowerCase(Locale.ROOT),
              result.statement().guarantee().key());
      csv.append(cells.stream().map(Object::toString).collect(Collectors.joining(",")));
      for (String setting : TrainDefinition.searchable()) {
        Double searched = point.settings().get(setting);
        csv.append(',').append(searched == null ? "" : searched.toString());
      }
      csv.append(',');
      outcome.trial().from().ifPresent(csv::append);
      csv.append('\n');
    }
    return csv.toString();
  }

  /** Trials, fit, final run and test accuracy for a terminal. */
  public static String text(StudyResult result) {
    StringBuilder text = new StringBuilder(GuaranteeNote.line(result.statement()));
    if (!result.trials().isEmpty()) {
      text.append(trials(result)).append('\n');
    }
    Decision decision = result.decision();
    decision.fit().ifPresent(fit -> text.append(sentence(fit)).append('\n'));
    RoundSummary.sentences(json(result)).forEach(line -> text.append(line).append('\n'));
    decision
        .guards()
        .forEach(
            g ->
                text.append("Guard ")
                    .append(g.name())
                    .append(": ")
                    .append(g.action())
                    .append(".\n"));
    SweepDefinition sweep = result.study().sweep();
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
    result
        .testAccuracy()
        .ifPresent(
            score -> text.append(test(score, sweep.training().spec().labelling())).append('\n'));
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
              DisplayNumber.sigma(sigma(result).orElseThrow()));
      case RADIUS, LEARNING_RATE ->
          String.format(
              Locale.ROOT,
              "Final run: radius %s = learning rate %s x %d steps, logit noise %s, sigma %s.",
              DisplayNumber.value(point.radius()),
              PlanDocument.rate(point),
              point.steps(),
              DisplayNumber.value(
                  plan.sweep().runScale().logitNoise(point, plan.resultMu(result.decision()))),
              DisplayNumber.sigma(sigma(result).orElseThrow()));
    };
  }

  /** Of the final run, if it has one. */
  private static OptionalDouble sigma(StudyResult result) {
    return result.finalCharge().isPresent()
        ? result.study().plan().sigma(result.finalCharge().get())
        : OptionalDouble.empty();
  }

  static String test(double score, Labelling labelling) {
    return labelling instanceof TargetRange range
        ? "Test error: " + DisplayNumber.value(meanAbsoluteError(score, range)) + " (mean absolute)"
        : "Test accuracy: " + DisplayNumber.percent(score);
  }

  /** From a score, 1 − the mean absolute error over the width of the range. */
  static double meanAbsoluteError(double score, TargetRange range) {
    return (1 - score) * (range.max() - range.min());
  }

  static TextTable trials(StudyResult result) {
    RunScale scale = result.study().sweep().runScale();
    TextTable table =
        new TextTable(
            "trial", "epsilon", "learning rate", "steps", "radius", "logit noise", "score");
    for (TrialOutcome outcome : result.trials()) {
      TrialPoint point = outcome.trial().point();
      table.row(
          Integer.toString(outcome.trial().number()),
          DisplayNumber.cost(outcome.trial().epsilon()),
          PlanDocument.rate(point),
          Integer.toString(point.steps()),
          DisplayNumber.value(point.radius()),
          DisplayNumber.value(scale.logitNoise(point, outcome.trial().mu())),
          score(outcome));
    }
    return table;
  }

  private static String score(TrialOutcome outcome) {
    if (outcome.score().isPresent()) {
      return DisplayNumber.percent(outcome.score().getAsDouble());
    }
    return outcome.state() == TrialState.TRAINED ? "none" : "lost";
  }

  static String sentence(Fit fit) {
    return sentence(fit(fit));
  }

  /** What was fitted, of the entry {@code fit}. */
  static String sentence(JsonNode fit) {
    String axis = fit.path("axis").asString();
    JsonNode coefficients = fit.path("coefficients");
    if (!fit.path("kind").asString().equals("polynomial")) {
      double best =
          fit.path("curve")
              .valueStream()
              .max(Comparator.comparingDouble(p -> p.path("y").asDouble()))
              .orElseThrow()
              .path("x")
              .asDouble();
      return "Fit: smoothed over logit noise, with a weak prior at 1; best at "
          + DisplayNumber.value(best);
    }
    if (coefficients.size() != 2) {
      return "Fit: a polynomial of degree " + (coefficients.size() - 1) + " over " + axis;
    }
    double constant = coefficients.path(0).asDouble();
    return String.format(
        Locale.ROOT,
        "Fit: %s = %s * %s %s %s",
        fit.path("value").asString().equals("jointRadius") ? "radius * clipNorm" : "radius",
        DisplayNumber.value(coefficients.path(1).asDouble()),
        axis,
        constant < 0 ? "-" : "+",
        DisplayNumber.value(Math.abs(constant)));
  }
}
