package io.mutune.orchestrator.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A number by which the runs of a study may differ, as {@code result.json} calls it.
 *
 * @param symbol short enough for the head of a narrow axis
 */
record Hyperparameter(String key, String name, String symbol) {
  private static final Map<String, Hyperparameter> KNOWN = new LinkedHashMap<>();

  /** Numbers of a trial that nobody chose. */
  private static final Set<String> OTHERS =
      Set.of("trial", "sweep", "mu", "sigma", "lostSteps", "score", "from");

  static {
    know("epsilon", "ε alone", "ε");
    know("learningRate", "learning rate η", "η");
    know("steps", "steps T", "T");
    know("radius", "radius r", "r");
    know("logitNoise", "logit noise ν", "ν");
  }

  private static void know(String key, String name, String symbol) {
    KNOWN.put(key, new Hyperparameter(key, name, symbol));
  }

  /** Those that some run of the study has, ε first. */
  static List<Hyperparameter> of(StudyDocuments study) {
    Map<String, Hyperparameter> found = new LinkedHashMap<>();
    List<JsonNode> runs = new ArrayList<>(study.trials());
    runs.add(study.finalRun());
    for (Hyperparameter known : KNOWN.values()) {
      if (known.key.equals("epsilon") || runs.stream().anyMatch(run -> known.of(run).isPresent())) {
        found.put(known.key, known);
      }
    }
    for (JsonNode run : runs) {
      for (String key : run.propertyNames()) {
        if (run.path(key).isNumber() && !OTHERS.contains(key)) {
          found.putIfAbsent(key, new Hyperparameter(key, key, key));
        }
      }
    }
    return List.copyOf(found.values());
  }

  OptionalDouble of(JsonNode run) {
    return StudyDocuments.number(run.path(key));
  }

  OptionalDouble ofFinal(StudyDocuments study) {
    return key.equals("epsilon")
        ? StudyDocuments.number(study.finalCharge().path(key))
        : of(study.finalRun());
  }

  /** A cost is rounded up. */
  String shown(OptionalDouble value) {
    if (value.isEmpty()) {
      return "";
    }
    return key.equals("epsilon")
        ? DisplayNumber.epsilon(value.getAsDouble())
        : DisplayNumber.value(value.getAsDouble());
  }
}
