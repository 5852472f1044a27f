package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.plan.PlannedRelease;
import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.StudyNote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A plan to the last digit, so that one that is made again can be held against it. */
final class PlanNote {
  private PlanNote() {}

  static StudyNote of(StudyPlan plan) {
    Map<String, String> content = new LinkedHashMap<>();
    Budget budget = plan.budget();
    content.put(
        "budget",
        "epsilon %s at delta %s, mu %s, %s"
            .formatted(
                budget.epsilon().value(),
                budget.delta().value(),
                budget.cap().mu().value(),
                budget.adjacency().key()));
    content.put("rows", Long.toString(plan.sweep().rows()));
    plan.meanCharge().ifPresent(charge -> put(content, charge));
    plan.secretRuns().ifPresent(runs -> put(content, runs.charge()));
    for (PlannedTrial trial : plan.trials()) {
      Charge charge = plan.trialCharge(trial);
      content.put(charge.what(), text(charge) + " at " + point(trial));
      plan.scoreCharge(trial).ifPresent(score -> put(content, score));
    }
    for (PlannedRelease release : plan.releases()) {
      content.put(release.name(), "mu " + release.mu().value());
    }
    if (!content.containsKey(Question.FINAL.name())) {
      content.put(Question.FINAL.name(), last(plan));
    }
    plan.testCharges().forEach(charge -> put(content, charge));
    return new StudyNote(StudyNote.Kind.PLAN, content);
  }

  private static void put(Map<String, String> content, Charge charge) {
    content.put(charge.what(), text(charge));
  }

  private static String last(StudyPlan plan) {
    if (!plan.hasFinal()) {
      return "the model of a trial";
    }
    if (!plan.chargesFinal()) {
      return "not charged";
    }
    return plan.isInMu()
        ? "mu " + plan.target().mu().value()
        : text(
            plan.finalCharge(new TrialPoint(1, plan.sweep().search().fixedSteps().orElseThrow())));
  }

  private static String text(Charge charge) {
    return charge.mechanism().name() + " " + new TreeMap<>(charge.mechanism().parameters());
  }

  private static String point(PlannedTrial trial) {
    return trial.isPlaced()
        ? text(trial.point())
        : "steps %d and a point by the scores of sweep %d"
            .formatted(trial.steps(), trial.round() - 1);
  }

  private static String text(TrialPoint point) {
    return "learning rate %s, steps %d%s"
        .formatted(
            point.learningRate(),
            point.steps(),
            point.settings().isEmpty() ? "" : ", " + settings(point));
  }

  /** As the first releases wrote them: {CLIP_NORM=1.0}. */
  private static Map<String, Double> settings(TrialPoint point) {
    Map<String, Double> written = new LinkedHashMap<>();
    point
        .sortedSettings()
        .forEach(
            (key, value) ->
                written.put(key.replaceAll("[A-Z]", "_$0").toUpperCase(Locale.ROOT), value));
    return written;
  }

  /** What a plan has otherwise than the one that was kept; each one sentence. */
  static List<String> differences(StudyNote kept, StudyPlan plan) {
    Map<String, String> was = kept.content();
    Map<String, String> is = of(plan).content();
    Set<String> names = new LinkedHashSet<>(was.keySet());
    names.addAll(is.keySet());
    List<String> differences = new ArrayList<>();
    for (String name : names) {
      String before = was.getOrDefault(name, "not planned");
      String now = is.getOrDefault(name, "not planned");
      if (!before.equals(now)) {
        differences.add("planned again, %s is %s; it was %s".formatted(name, now, before));
      }
    }
    return differences;
  }
}
