package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.Labelling;
import io.mutune.trainer.model.ClassWeights;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.LabelType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads how much a row of each class counts in training: {@code train.classWeights}, or else what
 * the label's column says.
 */
final class ClassWeightsReader {
  private static final String KEY = "classWeights";
  private static final NumberRule RULE = NumberRule.CLASS_WEIGHT;

  private ClassWeightsReader() {}

  /** Empty where all classes count alike, or something is wrong, which is noted. */
  static Optional<ClassWeights> read(YamlSection train, DataReader data) {
    Optional<Labelling> labelling = data.labelling();
    Optional<List<Double>> weights = Optional.empty();
    if (!train.has(KEY)) {
      weights = ofColumn(data);
    } else if (labelling.isPresent() && labelling.get() instanceof ClassLabels classes) {
      weights =
          train.isSequence(KEY) ? ofList(train, classes.size()) : ofMapping(train, classes.names());
    } else if (labelling.isPresent()) {
      train.broken(KEY, "is for classes, and the targets are real", "given");
    }
    return weights.map(ClassWeights::of).filter(found -> !found.areEqual());
  }

  private static Optional<List<Double>> ofColumn(DataReader data) {
    return data.table()
        .flatMap(table -> table.label().map(Column::type))
        .filter(LabelType.class::isInstance)
        .map(type -> ((LabelType) type).weights())
        .filter(weights -> !weights.isEmpty());
  }

  private static Optional<List<Double>> ofList(YamlSection train, int classes) {
    Optional<List<Double>> weights = train.numbers(KEY, RULE);
    if (weights.isPresent() && weights.get().size() != classes) {
      train.broken(KEY, "must be as many as the classes (" + classes + ")", weights.get().size());
      return Optional.empty();
    }
    return weights;
  }

  private static Optional<List<Double>> ofMapping(YamlSection train, List<String> classes) {
    Optional<YamlSection> section = train.section(KEY);
    if (section.isEmpty()) {
      return Optional.empty();
    }
    List<Double> weights = new ArrayList<>();
    for (String name : classes) {
      if (!section.get().has(name)) {
        section.get().missing(name, "every class has a weight, of which the ratios matter");
      }
      section.get().number(name, RULE).ifPresent(weights::add);
    }
    section.get().finish();
    return weights.size() == classes.size() ? Optional.of(weights) : Optional.empty();
  }
}
