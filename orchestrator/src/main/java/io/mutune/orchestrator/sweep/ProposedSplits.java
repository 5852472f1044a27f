package io.mutune.orchestrator.sweep;

import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.LinearScaling;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SplitProposal;

/**
 * Where a budget goes if the sweep does not say, by strategy.
 *
 * @param rows n, the public row count
 */
record ProposedSplits(Budget budget, long rows) {
  SplitProposal scaleFree() {
    return SplitProposal.of(budget.cap().mu(), budget.delta(), rows);
  }

  /**
   * For linear scaling.
   *
   * @param degree of its fit
   */
  SplitProposal line(int degree) {
    return SplitProposal.ofLine(budget.epsilon(), budget.cap().mu(), budget.delta(), rows, degree);
  }

  /** For a strategy that has one. */
  SplitProposal of(SearchStrategy strategy) {
    return strategy instanceof LinearScaling own ? line(own.degree()) : scaleFree();
  }
}
