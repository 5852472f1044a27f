package io.mutune.orchestrator.server;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The accepted tokens: those of the file, and possibly one for this process only. */
final class AcceptedTokens {
  private final TokenFile file;
  private final @Nullable AccessToken ofProcess;

  AcceptedTokens(TokenFile file, @Nullable AccessToken ofProcess) {
    this.file = file;
    this.ofProcess = ofProcess;
  }

  TokenFile file() {
    return file;
  }

  Optional<AccessToken> find(String secret) throws IOException {
    return withHash(AccessToken.hashOf(secret));
  }

  Optional<AccessToken> withHash(String hash) throws IOException {
    Optional<AccessToken> found = file.withHash(hash);
    return ofProcess != null && ofProcess.hasHash(hash) ? Optional.of(ofProcess) : found;
  }
}
