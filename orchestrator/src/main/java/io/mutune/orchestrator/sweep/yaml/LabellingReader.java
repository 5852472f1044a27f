package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.setting.NumberRule;
import java.util.List;
import java.util.Optional;

/** Reads {@code classes} or {@code target} of rows whose columns are numbers. */
final class LabellingReader {
  private LabellingReader() {}

  /** What labels may be, if the section says it and nothing is wrong with it. */
  static Optional<Labelling> read(YamlSection section) {
    if (section.has("target") && section.has("classes")) {
      section.broken("target", "is for regression, where there are no classes", "both given");
      return Optional.empty();
    }
    if (!section.has("target")) {
      return classes(section).map(labels -> labels);
    }
    return section.section("target").flatMap(LabellingReader::targetRange);
  }

  private static Optional<Labelling> targetRange(YamlSection target) {
    for (String bound : List.of("min", "max")) {
      target.require(bound, "real targets need public bounds");
    }
    Optional<Double> min = target.number("min", NumberRule.fromTo(-1e30, 1e30));
    Optional<Double> max = target.number("max", NumberRule.fromTo(-1e30, 1e30));
    target.finish();
    if (min.isPresent() && max.isPresent() && max.get() <= min.get()) {
      target.broken("max", "must be above min (" + target.written("min") + ")");
      return Optional.empty();
    }
    return min.flatMap(least -> max.map(most -> new TargetRange(least, most)));
  }

  private static Optional<ClassLabels> classes(YamlSection section) {
    if (!section.has("classes")) {
      return Optional.empty();
    }
    if (!section.isSequence("classes")) {
      return section.count("classes", 2, 100_000).map(ClassLabels::of);
    }
    return section
        .texts("classes")
        .flatMap(
            names -> {
              try {
                return Optional.of(new ClassLabels(names));
              } catch (IllegalArgumentException e) {
                section.broken(
                    "classes", "must be two or more different labels", String.join(", ", names));
                return Optional.empty();
              }
            });
  }
}
