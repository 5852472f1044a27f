package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.compare.Accountant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
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
    return found(
        Adjacency.ofKey(key.replace('_', '-')),
        "adjacency must be",
        Adjacency.values(),
        Adjacency::key,
        key);
  }

  /**
   * The accountant of this key.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Accountant accountant(String key) {
    return found(
        Accountant.ofKey(key), "an accountant is", Accountant.values(), Accountant::key, key);
  }

  private static <T> T found(
      Optional<T> found, String rule, T[] all, Function<T, String> name, String key) {
    return found.orElseThrow(
        () ->
            new IllegalArgumentException(
                "%s one of %s; was '%s'"
                    .formatted(
                        rule,
                        Arrays.stream(all).map(name).collect(Collectors.joining(", ")),
                        key)));
  }
}
