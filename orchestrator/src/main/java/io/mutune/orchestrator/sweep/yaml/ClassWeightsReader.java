package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.loss.ClassWeights;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.LabelType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads how much a row of each class counts in training: {@code train.classWeights}, by weights or
 * by public frequencies that they balance, or else what the label's column says.
 */
final class ClassWeightsReader {
  private static final String KEY = "classWeights";
  private static final String BALANCED = "balanced";
  private static final NumberRule RULE = NumberRule.CLASS_WEIGHT;

  private ClassWeightsReader() {}

  /** Empty where all classes count alike, or something is wrong, which is noted. */
  static Optional<ClassWeights> read(YamlSection train, DataReader data) {
    Optional<Labelling> labelling = data.labelling();
    Optional<List<Double>> weights = Optional.empty();
    if (!train.has(KEY)) {
      weights = ofColumn(data);
    } else if (labelling.isPresent() && labelling.get() instanceof ClassLabels classes) {
      weights = read(train, KEY, RULE, classes);
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

  private static Optional<List<Double>> read(
      YamlSection in, String key, NumberRule rule, ClassLabels classes) {
    if (key.equals(KEY) && in.isText(key)) {
      in.broken(
          key,
          "must be the weights of the classes, or the frequencies that they balance, which are"
              + " public: {balanced: {CLASS: 0.97, …}}",
          in.written(key));
      return Optional.empty();
    }
    if (in.isSequence(key)) {
      return ofList(in, key, rule, classes.size());
    }
    Optional<YamlSection> section = in.section(key);
    if (section.isEmpty()) {
      return Optional.empty();
    }
    // A class of this name has a weight, and nothing is balanced.
    if (key.equals(KEY) && !classes.names().contains(BALANCED) && section.get().has(BALANCED)) {
      Optional<List<Double>> shares = read(section.get(), BALANCED, NumberRule.FREQUENCY, classes);
      section.get().finish();
      return shares.map(all -> all.stream().map(share -> 1 / share).toList());
    }
    return ofMapping(section.get(), rule, classes.names());
  }

  private static Optional<List<Double>> ofList(
      YamlSection in, String key, NumberRule rule, int classes) {
    Optional<List<Double>> weights = in.numbers(key, rule);
    if (weights.isPresent() && weights.get().size() != classes) {
      in.broken(key, "must be as many as the classes (" + classes + ")", weights.get().size());
      return Optional.empty();
    }
    return weights;
  }

  private static Optional<List<Double>> ofMapping(
      YamlSection section, NumberRule rule, List<String> classes) {
    List<Double> weights = new ArrayList<>();
    for (String name : classes) {
      section.require(name, "every class has one, of which the ratios matter");
      section.number(name, rule).ifPresent(weights::add);
    }
    section.finish();
    return weights.size() == classes.size() ? Optional.of(weights) : Optional.empty();
  }
}
