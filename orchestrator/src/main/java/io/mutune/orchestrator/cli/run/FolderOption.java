package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.store.StoreLocation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a sweep's study is to be left, if not where the sweep says, and the store of it. */
final class FolderOption {
  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "the folder to leave the study in, and of the store if --store names none (default: the"
              + " sweep's; where that is runs, that of the store's file)")
  private @Nullable Path output;

  @Mixin private StoreOption store = new StoreOption();

  Path of(SweepFile.Sweep sweep) {
    return of(sweep.definition().output().directory());
  }

  private Path of(Path directory) {
    return output == null ? store.folder(directory) : output.toAbsolutePath().normalize();
  }

  /** The data sets that are registered where a sweep's study is to be left. */
  SweepFile.Cards cards() {
    return store.cards(this::of);
  }

  /** The store for studies in this folder. */
  StoreLocation store(Path folder) {
    return store.in(folder);
  }
}
