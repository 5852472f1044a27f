package io.mutune.orchestrator.search;

import java.util.Locale;

/**
 * A safeguard that acted: what it found and what it did instead. Reported, never silent.
 *
 * @param name a stable word such as {@code negative-slope}
 */
public record Guard(String name, String action) {
  /** With numbers in its words. */
  static Guard of(String name, String action, Object... numbers) {
    return new Guard(name, String.format(Locale.ROOT, action, numbers));
  }
}
