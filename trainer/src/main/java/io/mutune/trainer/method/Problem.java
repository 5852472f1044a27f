package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.ledger.Budget;
import io.mutune.trainer.loss.Loss;

/**
 * What is to be learned, and under which guarantee; all public.
 *
 * @param classes as many as the loss is made for
 * @param budget of the whole study; a method takes from it the adjacency, and δ where its own
 *     guarantee has one
 * @param publicRows N, the public number of private rows, at least 1
 */
public record Problem(Loss loss, int classes, Budget budget, long publicRows) {
  public Problem {
    Require.publicRows(publicRows);
    // Refuses classes that the loss is not made for.
    loss.columns(classes);
  }

  /** Columns of the model. */
  public int columns() {
    return loss.columns(classes);
  }

  /** Which neighbours the charge is for. */
  public Adjacency adjacency() {
    return budget.adjacency();
  }

  /** The same for another public number of rows. */
  public Problem ofRows(long rows) {
    return new Problem(loss, classes, budget, rows);
  }
}
