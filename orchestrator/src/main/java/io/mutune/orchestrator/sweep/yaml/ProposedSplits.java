package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.LinearScaling;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SplitProposal;
import io.mutune.orchestrator.search.SuccessiveHalving;
import io.mutune.orchestrator.search.SweepRound;
import io.mutune.orchestrator.sweep.SweepDefaults;
import java.util.List;

/**
 * Where a budget goes if the sweep does not say, by strategy.
 *
 * @param rows n, the public row count
 * @param defaults of the study
 */
record ProposedSplits(Budget budget, long rows, SweepDefaults defaults) {
  SplitProposal scaleFree() {
    return SplitProposal.of(budget, rows, defaults.amounts());
  }

  /**
   * For linear scaling.
   *
   * @param degree of its fit
   */
  SplitProposal line(int degree) {
    return SplitProposal.ofLine(
        budget, rows, degree, defaults.leastOfLine(), defaults.payableLines());
  }

  /**
   * For successive halving.
   *
   * @param sizes how many trials each round has
   * @param tuning the part of the budget's μ² for their training
   */
  SplitProposal halving(List<Integer> sizes, double tuning) {
    return SplitProposal.ofHalving(budget, sizes, tuning);
  }

  /** For a strategy that has one. */
  SplitProposal of(SearchStrategy strategy) {
    if (strategy instanceof SuccessiveHalving own) {
      int trials = own.rounds().stream().mapToInt(SweepRound::trials).sum();
      return new SplitProposal(
          own.rounds(), SplitProposal.score(budget, trials), own.why().orElse(""));
    }
    return strategy instanceof LinearScaling own ? line(own.degree()) : scaleFree();
  }
}
