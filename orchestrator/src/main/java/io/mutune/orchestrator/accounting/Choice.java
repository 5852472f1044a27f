package io.mutune.orchestrator.accounting;

import io.mutune.accountant.compare.Accountant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which accountant a query asks, and whether it wants the others' answers beside. */
final class Choice {
  private Choice() {}

  static Optional<Accountant> by(Inputs query) {
    return query.has("accountant") ? Optional.of(of(query.text("accountant"))) : Optional.empty();
  }

  static boolean compare(Inputs query) {
    return query.has("compare") && query.get("compare").asBoolean(false);
  }

  /**
   * The accountant of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Accountant of(String key) {
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
