package io.mutune.orchestrator.cli.server;

import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.server.TokenFile;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.StudyStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a server's studies and tokens are. */
final class TokenLocation {
  @Mixin private StudyFinder studies = new StudyFinder();

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "the file of tokens (default: tokens.json in the folder of the studies)")
  private @Nullable Path tokens;

  Path folder() {
    return studies.results();
  }

  /** Opens the store, making it where there is none. */
  StudyStore open() {
    return studies.openOrCreate();
  }

  StoreLocation store() {
    return studies.location();
  }

  TokenFile file() {
    return new TokenFile(tokens == null ? folder().resolve(TokenFile.NAME) : tokens);
  }

  /** The words that lead another command to the same file. */
  String option() {
    return tokens == null ? "--output " + folder() : "--tokens " + tokens;
  }
}
