package io.mutune.orchestrator.document;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.plan.ModelCost;
import io.mutune.orchestrator.plan.StudyPlan;
import java.util.List;
import java.util.Optional;

/**
 * What each of several models and the tuning before it cost together.
 *
 * @param validFor towards whom these figures are a guarantee
 * @param costs of every model, the final one last
 */
public record ModelsDocument(String validFor, List<Cost> costs) {
  /** Towards whom such figures are a guarantee; documents of earlier versions say less. */
  public static final String ALONE =
      "whoever sees that model and what the trials released, and no other model or document of this"
          + " study, nor its store";

  /** Of one model, by its name on the ledger. */
  public record Cost(String model, double epsilon, double mu) {}

  /** Empty where there is one model. */
  public static Optional<ModelsDocument> of(StudyPlan plan) {
    List<Cost> costs =
        ModelCost.of(plan).stream()
            .map(cost -> new Cost(cost.model(), cost.epsilon().value(), cost.mu().value()))
            .toList();
    return costs.isEmpty() ? Optional.empty() : Optional.of(new ModelsDocument(ALONE, costs));
  }

  /** As the statement has it. */
  String text() {
    DataTable table =
        DataTable.of(
            List.of("model and tuning", "epsilon", "mu"),
            costs,
            cost ->
                DataTable.row(
                    cost.model, DisplayNumber.epsilon(cost.epsilon), DisplayNumber.mu(cost.mu)));
    return "Each model and the tuning alone, a guarantee only towards "
        + validFor
        + ":\n\n"
        + table;
  }

  /** What the model of this name and the tuning cost. */
  public Optional<Cost> of(String model) {
    return costs.stream().filter(cost -> cost.model().equals(model)).findFirst();
  }
}
