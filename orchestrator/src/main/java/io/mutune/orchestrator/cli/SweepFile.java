package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The sweep file that a command is given. */
final class SweepFile {
  @Parameters(paramLabel = "SWEEP", description = "the sweep's YAML file")
  private @Nullable Path file;

  /** A sweep that was read and checked. */
  record Sweep(String text, SweepContext context, SweepDefinition definition) {
    StudyPlan plan() {
      return StudyPlan.of(definition);
    }
  }

  Sweep read() throws IOException {
    Path path = path();
    if (Files.isDirectory(path)) {
      throw new UsageException(path + ": is a folder, not a sweep file");
    }
    try {
      String text = Files.readString(path);
      SweepContext context = SweepContext.ofFile(path);
      return new Sweep(text, context, SweepReader.read(path.toString(), text, context));
    } catch (MalformedInputException e) {
      throw new UsageException(path + ": is not UTF-8 text");
    }
  }

  Path path() {
    if (file == null) {
      throw new IllegalStateException("picocli requires the file");
    }
    return file;
  }
}
