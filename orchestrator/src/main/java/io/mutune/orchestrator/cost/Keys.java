package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.compare.Accountant;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Finds what a question names by its key, or says which keys there are. */
public final class Keys {
  private Keys() {}

  /**
   * The adjacency of this key, with a hyphen or an underscore.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Adjacency adjacency(String key) {
    return Adjacency.ofKey(key.replace('_', '-'))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "adjacency must be one of %s; was '%s'"
                        .formatted(
                            Arrays.stream(Adjacency.values())
                                .map(Adjacency::key)
                                .collect(Collectors.joining(", ")),
                            key)));
  }

  /**
   * The accountant of this key.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Accountant accountant(String key) {
    return Accountant.ofKey(key)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "an accountant is one of %s; was '%s'"
                        .formatted(
                            Arrays.stream(Accountant.values())
                                .map(Accountant::key)
                                .collect(Collectors.joining(", ")),
                            key)));
  }
}
