package io.mutune.orchestrator.verify;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.study.Study;
import io.mutune.trainer.method.Searched;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Holds the final run of a result against what the ledger has of it, and what follows from that.
 *
 * @param last as the result has it
 * @param isOfThisBuild whether the build that is here wrote it
 */
record FinalRunCheck(JsonNode last, Study study, boolean isOfThisBuild) {
  private static final String SCORE = "score";
  private static final String MODEL = "model";
  private static final String TRIAL = "trial";
  private static final String KEPT = "kept";
  private static final String RATE = "learningRate";
  private static final String STEPS = "steps";

  /** What every version says of the final run, where there is such a thing. */
  private static final Set<String> ALWAYS = Set.of(SCORE, RATE, STEPS);

  /** What follows from the point and the plan. */
  private static final Set<String> FOLLOWING = Set.of("radius", "logitNoise", "sigma");

  /** What only the course of the study says. */
  private static final Set<String> OTHERS = Set.of("from", "lostSteps");

  /** What does not agree. */
  List<String> problems(List<StudyNote> notes) {
    List<Map<String, String>> released =
        notes.stream()
            .filter(note -> note.kind() == StudyNote.Kind.RESULT)
            .map(FinalRunCheck::run)
            .toList();
    if (released.isEmpty()) {
      return List.of();
    }
    return released.stream()
        .filter(this::says)
        .findFirst()
        .map(this::following)
        .orElse(List.of("result.json has another final run than the ledger"));
  }

  /** Of a note of a result, what it says of the run: its settings beside the rest. */
  private static Map<String, String> run(StudyNote note) {
    Map<String, String> run = new LinkedHashMap<>(note.content());
    run.keySet().removeIf(key -> key.equals(MODEL) || key.startsWith(MODEL + " of "));
    run.remove("testAccuracy");
    return run;
  }

  /** Whether the result says the same: the score and the point, and the kept trial. */
  private boolean says(Map<String, String> run) {
    Searched searched = study.sweep().train().method().searched();
    Map<String, String> said = new LinkedHashMap<>(run);
    if (!searched.hasRate()) {
      said.remove(RATE);
    }
    if (searched == Searched.NOTHING) {
      said.remove(STEPS);
    }
    Optional.ofNullable(said.remove(KEPT)).ifPresent(trial -> said.put(TRIAL, trial));
    boolean saysMore =
        last.propertyNames().stream()
            .anyMatch(
                key -> !said.containsKey(key) && !FOLLOWING.contains(key) && !OTHERS.contains(key));
    if (!isOfThisBuild) {
      said.keySet().removeIf(key -> !ALWAYS.contains(key) && !last.has(key));
    }
    return !(saysMore && isOfThisBuild)
        && said.entrySet().stream()
            .allMatch(e -> FolderCheck.says(e.getValue(), last.path(e.getKey())));
  }

  private List<String> following(Map<String, String> run) {
    if (!isOfThisBuild) {
      return List.of();
    }
    try {
      JsonNode made = made(run);
      Set<String> apart = new LinkedHashSet<>(last.propertyNames());
      apart.addAll(made.propertyNames());
      apart.removeAll(FOLLOWING);
      return SweepDocuments.compare("the final run", last, made, apart);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return List.of("the final run of the ledger is none of this study's plan");
    }
  }

  /** As the result would have it. */
  private JsonNode made(Map<String, String> run) {
    StudyPlan plan = study.plan();
    Map<String, String> settings = new LinkedHashMap<>(run);
    settings.keySet().removeAll(Set.of(RATE, STEPS, KEPT, SCORE));
    Map<String, Double> numbers = new LinkedHashMap<>();
    settings.forEach((setting, value) -> numbers.put(setting, Double.valueOf(value)));
    TrialPoint point =
        new TrialPoint(
            Double.parseDouble(run.getOrDefault(RATE, "")),
            Integer.parseInt(run.getOrDefault(STEPS, "")),
            numbers);
    OptionalInt kept =
        run.containsKey(KEPT)
            ? OptionalInt.of(Integer.parseInt(run.getOrDefault(KEPT, "")))
            : OptionalInt.empty();
    Decision decision =
        new Decision(
            point, Optional.empty(), List.of(), kept, OptionalDouble.empty(), OptionalInt.empty());
    return Json.tree(ResultDocument.last(plan, decision, plan.resultCharge(decision), 0));
  }
}
