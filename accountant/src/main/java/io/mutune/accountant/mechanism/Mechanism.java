package io.mutune.accountant.mechanism;

import io.mutune.accountant.Mu;
import java.util.Map;
import java.util.Optional;

/** What can be charged. Immutable; its meaning in a stored ledger never changes. */
public sealed interface Mechanism permits Gaussian {
  /** The name under which ledgers keep it. */
  String name();

  /** Its numbers under the names that ledgers keep; {@link #of} reads them back exactly. */
  Map<String, Number> parameters();

  /**
   * A μ for which it is μ-GDP, rounded up; empty for a mechanism that has no finite one, such as
   * one that fails with a probability δ.
   */
  Optional<Mu> mu();

  /**
   * The mechanism that a ledger wrote down.
   *
   * @throws IllegalArgumentException if the name is unknown, a parameter is missing, unknown or out
   *     of range
   */
  static Mechanism of(String name, Map<String, ? extends Number> parameters) {
    return switch (name) {
      case Gaussian.NAME -> Gaussian.ofParameters(parameters);
      default -> throw new IllegalArgumentException("unknown mechanism '" + name + "'");
    };
  }
}
