package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Query;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;

/**
 * What is asked for, and at which number as it was written.
 *
 * @param epsilon whether ε is asked for, at a δ; otherwise δ is, at an ε
 * @param at the δ or the ε
 */
public record Ask(boolean epsilon, Decimal at) {
  /** The smallest ε at this δ. */
  public static Ask epsilonAt(Decimal delta) {
    return new Ask(true, delta);
  }

  /** The smallest δ at this ε. */
  public static Ask deltaAt(Decimal epsilon) {
    return new Ask(false, epsilon);
  }

  /** The same, with the number rounded down: never to less privacy. */
  Query query() {
    return epsilon
        ? new EpsilonAt(Delta.of(at.delta("delta")))
        : new DeltaAt(Epsilon.of(at.notNegative("epsilon").down()));
  }

  /** {@code epsilon} or {@code delta}: what is asked for. */
  String wanted() {
    return epsilon ? "epsilon" : "delta";
  }

  /** The other one. */
  String given() {
    return epsilon ? "delta" : "epsilon";
  }
}
