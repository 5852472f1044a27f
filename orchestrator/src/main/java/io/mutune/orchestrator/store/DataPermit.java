package io.mutune.orchestrator.store;

import java.nio.file.Path;
import java.util.Map;

/**
 * Proof that the files of a study were checked against the accounts. Only {@link FileOwners} makes
 * one.
 */
public final class DataPermit {
  private final Map<Path, Path> real;

  /**
   * @param real the path without links of each permitted file
   */
  DataPermit(Map<Path, Path> real) {
    this.real = Map.copyOf(real);
  }

  /**
   * Returns the path to open: the path without links at the time of the check, so that a link that
   * was changed since has no effect.
   *
   * @throws IllegalStateException if the path was not checked
   */
  public Path of(Path named) {
    Path admitted = real.get(named);
    if (admitted == null) {
      throw new IllegalStateException(named + ": is opened, and no account was asked about it");
    }
    return admitted;
  }
}
