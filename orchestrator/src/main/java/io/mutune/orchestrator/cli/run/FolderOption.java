package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.input.SweepFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a sweep's study is to be left, if not where the sweep says. */
final class FolderOption {
  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "the folder to leave the study in, and of the store if --store names none (default: the"
              + " sweep's, else runs)")
  private @Nullable Path output;

  Path of(SweepFile.Sweep sweep) {
    return of(sweep.definition().output().directory());
  }

  Path of(Path usual) {
    return output == null ? usual : output.toAbsolutePath().normalize();
  }
}
