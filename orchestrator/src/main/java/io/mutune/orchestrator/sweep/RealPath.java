package io.mutune.orchestrator.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/** Where a path leads, whatever links it goes through. */
public final class RealPath {
  private RealPath() {}

  /** Followed as far as it exists; empty where a link leads nowhere or may not be looked at. */
  public static Optional<Path> of(Path path) {
    Path whole = path.toAbsolutePath().normalize();
    Path there = whole;
    while (there != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    if (there == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(there.toRealPath().resolve(there.relativize(whole)).normalize());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
