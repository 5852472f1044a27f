package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;

/** What is asked about {@link Releases}: their ε at a δ, or their δ at an ε. */
public sealed interface Query {
  /**
   * The smallest ε with which (ε, δ) holds.
   *
   * @param delta below 1; 0 asks for pure differential privacy
   */
  record EpsilonAt(Delta delta) implements Query {
    public EpsilonAt {
      if (!(delta.value() < 1)) {
        throw new IllegalArgumentException(
            "delta must be at least 0 and below 1; was " + delta.value());
      }
    }
  }

  /** The smallest δ with which (ε, δ) holds. */
  record DeltaAt(Epsilon epsilon) implements Query {}

  /** What holds of anything at all: an infinite ε, a δ of 1. */
  default double trivial() {
    return this instanceof EpsilonAt ? Double.POSITIVE_INFINITY : 1;
  }

  /** The answer that says nothing. */
  default Answer.Bound nothingKnown() {
    return Answer.Bound.upper(trivial());
  }
}
