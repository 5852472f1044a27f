package io.mutune.orchestrator.sweep;

import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.SearchedNumbers;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.catalogue.TrainingMethods;
import java.util.List;

/** How every run of a study trains. */
public record TrainDefinition(TrainingMethod method, Loss loss) {
  /**
   * Of a run on so many rows.
   *
   * @param classes 0 where targets are real
   */
  public RunScale scale(Budget budget, int classes, long rows) {
    return new RunScale(
        budget.adjacency().sumSensitivity(),
        method.stepUnit(),
        method.momentum(),
        rows,
        loss.columns(classes),
        loss.stableLearningRate(classes, method.stepUnit(), method.momentum()),
        method.searched() == Searched.RADIUS);
  }

  /** The keys of all numbers, of any method, that a search may choose; in the search's order. */
  public static List<String> searchable() {
    return TrainingMethods.searchable().stream().sorted(SearchedNumbers.ORDER).toList();
  }
}
