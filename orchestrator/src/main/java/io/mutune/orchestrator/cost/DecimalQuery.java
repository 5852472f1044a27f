package io.mutune.orchestrator.cost;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Query;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;

/**
 * A {@link Query} with its number as it was written.
 *
 * @param epsilon whether ε is wanted, at a δ; otherwise δ is, at an ε
 * @param at the δ or the ε
 */
public record DecimalQuery(boolean epsilon, Decimal at) {
  /** The smallest ε at this δ. */
  public static DecimalQuery epsilonAt(Decimal delta) {
    return new DecimalQuery(true, delta);
  }

  /** The smallest δ at this ε. */
  public static DecimalQuery deltaAt(Decimal epsilon) {
    return new DecimalQuery(false, epsilon);
  }

  /** The query with the number rounded down, so that the answer is never too small. */
  Query rounded() {
    return epsilon
        ? new EpsilonAt(Delta.of(at.delta("delta")))
        : new DeltaAt(Epsilon.of(at.notNegative("epsilon").down()));
  }

  /** The key of what is wanted: {@code epsilon} or {@code delta}. */
  String wanted() {
    return epsilon ? "epsilon" : "delta";
  }

  /** The key of what is given. */
  String given() {
    return epsilon ? "delta" : "epsilon";
  }
}
