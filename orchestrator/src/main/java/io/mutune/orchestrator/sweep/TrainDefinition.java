package io.mutune.orchestrator.sweep;

import io.mutune.orchestrator.search.SearchedNumbers;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.TrainingMethods;
import io.mutune.trainer.model.Loss;
import java.util.List;

/** How every run of a study trains. */
public record TrainDefinition(TrainingMethod method, Loss loss) {
  /** The keys of all numbers, of any method, that a search may choose; in the search's order. */
  public static List<String> searchable() {
    return TrainingMethods.searchable().stream().sorted(SearchedNumbers.ORDER).toList();
  }
}
