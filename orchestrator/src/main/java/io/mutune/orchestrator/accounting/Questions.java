package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.compare.Accountant;

/** What a question names, by its name; what is not there is an {@link IllegalArgumentException}. */
public final class Questions {
  private Questions() {}

  /** {@code add-remove} or {@code replace-one}. */
  public static Adjacency adjacency(String name) {
    return Inputs.adjacency(name);
  }

  /** {@code gdp}, {@code pld} and the others. */
  public static Accountant accountant(String name) {
    return Choice.of(name);
  }
}
