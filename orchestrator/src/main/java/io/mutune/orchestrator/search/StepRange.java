package io.mutune.orchestrator.search;

import java.util.OptionalInt;

/**
 * How many steps a run may take.
 *
 * @param min at least 1
 * @param max at least min
 */
public record StepRange(int min, int max) {
  /** No run takes more steps. */
  public static final int MOST = 1_000_000;

  public StepRange {
    if (min < 1 || max < min) {
      throw new IllegalArgumentException("steps need 1 <= min <= max; was " + min + " to " + max);
    }
  }

  /** The one number that it allows; empty if there are several. */
  public OptionalInt only() {
    return min == max ? OptionalInt.of(min) : OptionalInt.empty();
  }
}
