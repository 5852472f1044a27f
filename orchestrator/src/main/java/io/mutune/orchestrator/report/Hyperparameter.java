package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.PlanDocument.ChargeCost;
import io.mutune.orchestrator.document.RunEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A number by which the runs of a study may differ, as {@code result.json} calls it.
 *
 * @param symbol short enough for the head of a narrow axis
 */
record Hyperparameter(String key, String name, String symbol) {
  private static final List<Hyperparameter> KNOWN =
      List.of(
          new Hyperparameter("epsilon", "ε alone", "ε"),
          new Hyperparameter("learningRate", "learning rate η", "η"),
          new Hyperparameter("steps", "steps T", "T"),
          new Hyperparameter("radius", "radius r", "r"),
          new Hyperparameter("logitNoise", "logit noise ν", "ν"));

  /** Those that some run of the study has, ε first. */
  static List<Hyperparameter> of(StudyDocuments study) {
    Map<String, Hyperparameter> found = new LinkedHashMap<>();
    List<RunEntry> runs = new ArrayList<>(study.trials());
    runs.add(study.finalRun());
    for (Hyperparameter known : KNOWN) {
      if (known.key.equals("epsilon") || runs.stream().anyMatch(run -> known.of(run).isPresent())) {
        found.put(known.key, known);
      }
    }
    for (RunEntry run : runs) {
      run.point().keySet().forEach(k -> found.putIfAbsent(k, new Hyperparameter(k, k, k)));
    }
    return List.copyOf(found.values());
  }

  OptionalDouble of(RunEntry run) {
    return key.equals("epsilon") ? run.epsilon() : run.number(key);
  }

  OptionalDouble ofFinal(StudyDocuments study) {
    return key.equals("epsilon")
        ? study.finalCharge().stream().mapToDouble(ChargeCost::epsilon).findFirst()
        : of(study.finalRun());
  }

  /** A cost is rounded up. */
  String shown(OptionalDouble value) {
    return DisplayNumber.ifPresent(
        value, key.equals("epsilon") ? DisplayNumber::epsilon : DisplayNumber::value);
  }
}
