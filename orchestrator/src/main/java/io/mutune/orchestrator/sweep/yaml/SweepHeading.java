package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.SweepContext;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What has to be known of a sweep before its data set is looked up.
 *
 * @param dataSet the registered one that it names, if it names one
 * @param directory where its studies go
 */
public record SweepHeading(Optional<String> dataSet, Path directory) {
  /** Reads no more than that; mistakes are left to {@link SweepReader}. */
  public static SweepHeading read(String text, SweepContext context) {
    Problems ignored = new Problems("");
    Path usual = context.resolveOutput("runs");
    try {
      YamlSection root = YamlFile.parse(text, ignored);
      return new SweepHeading(
          root.isText("data") ? root.text("data") : Optional.empty(),
          root.section("output")
              .flatMap(s -> PathReader.read(s, "directory", context, context::resolveOutput))
              .orElse(usual));
    } catch (InvalidSweepException e) {
      return new SweepHeading(Optional.empty(), usual);
    }
  }
}
