package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.server.TokenFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a server's studies and tokens are. */
final class TokenLocation {
  @Option(
      names = "--store",
      paramLabel = "DIR",
      description = "the folder with the studies and their store (default: runs)")
  private @Nullable Path store;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "the file of tokens (default: tokens.json beside the store)")
  private @Nullable Path tokens;

  Path folder() {
    return (store == null ? Path.of("runs") : store).toAbsolutePath().normalize();
  }

  TokenFile file() {
    return new TokenFile(tokens == null ? folder().resolve(TokenFile.NAME) : tokens);
  }

  /** The words that lead another command to the same file. */
  String option() {
    return tokens == null ? "--store " + folder() : "--tokens " + tokens;
  }
}
