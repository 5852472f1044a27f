package io.mutune.orchestrator.cli.server;

import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.server.TokenFile;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a server's studies and tokens are. */
final class TokenLocation {
  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "the folder of the studies (default: that of the store's file, else runs)")
  private @Nullable Path output;

  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "the file of tokens (default: tokens.json in the folder of the studies)")
  private @Nullable Path tokens;

  Path folder() {
    return (output == null ? store.folder() : output).toAbsolutePath().normalize();
  }

  /** Opens the store, making it where there is none. */
  StudyStore open() {
    return Stores.open(store(), folder());
  }

  StoreLocation store() {
    return store.in(folder());
  }

  TokenFile file() {
    return new TokenFile(tokens == null ? folder().resolve(TokenFile.NAME) : tokens);
  }

  /** The words that lead another command to the same file. */
  String option() {
    return tokens == null ? "--output " + folder() : "--tokens " + tokens;
  }
}
