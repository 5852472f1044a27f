package io.mutune.orchestrator.sweep;

import java.nio.file.Path;

/**
 * A file or folder that a sweep names.
 *
 * @param key under which it names it, such as {@code data.test}
 * @param path absolute; any links in it are not followed yet
 */
public record NamedFile(String key, Path path, Use use) {
  /** Whether a study leaves something there. */
  public boolean isWritten() {
    return use == Use.KEPT || use == Use.RELEASED;
  }

  /** What a study does with it. */
  public enum Use {
    /** Rows of it are read against charges alone. */
    CHARGED,
    /** It is read without a charge. */
    OPEN,
    /** What is kept there is as private as the rows. */
    KEPT,
    /** What is left there may be published. */
    RELEASED
  }
}
