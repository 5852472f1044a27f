package io.mutune.orchestrator.store;

import java.nio.file.Path;
import java.util.Map;

/**
 * Proof that the accounts were asked about the files of a study: only {@link FileOwners} makes one.
 */
public final class DataPermit {
  private final Map<Path, Path> real;

  /**
   * @param real where each path that was let through leads
   */
  DataPermit(Map<Path, Path> real) {
    this.real = Map.copyOf(real);
  }

  /**
   * What to open for a path: where it led when the accounts were asked, so that a link that is
   * changed since leads nowhere else.
   *
   * @throws IllegalStateException if nobody asked about it
   */
  public Path of(Path named) {
    Path admitted = real.get(named);
    if (admitted == null) {
      throw new IllegalStateException(named + ": is opened, and no account was asked about it");
    }
    return admitted;
  }
}
