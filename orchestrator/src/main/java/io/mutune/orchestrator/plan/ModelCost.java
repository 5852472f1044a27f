package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Charge;
import java.util.ArrayList;
import java.util.List;

/**
 * What one of several models and the tuning before it cost together: the guarantee towards whoever
 * sees that model and nothing else of the study but what its trials released.
 *
 * @param model its name on the ledger
 * @param mu at least that of the charges
 * @param epsilon at the study's δ, rounded up
 */
public record ModelCost(String model, Mu mu, Epsilon epsilon) {
  /** Of every model of a plan, the final one last; none where it is the only one. */
  public static List<ModelCost> of(StudyPlan plan) {
    if (plan.releases().isEmpty()) {
      return List.of();
    }
    List<GaussianDp> tuning =
        plan.whole().stream()
            .filter(charge -> isTuning(Question.of(charge).orElseThrow()))
            .map(charge -> GaussianDp.of(charge.mechanism().mu().orElseThrow()))
            .toList();
    List<ModelCost> costs = new ArrayList<>();
    for (PlannedRelease release : plan.releases()) {
      costs.add(of(plan, release.name(), tuning, release.mu()));
    }
    costs.add(of(plan, Question.FINAL.name(), tuning, plan.target().mu()));
    return costs;
  }

  private static ModelCost of(StudyPlan plan, String name, List<GaussianDp> tuning, Mu alone) {
    List<GaussianDp> parts = new ArrayList<>(tuning);
    parts.add(GaussianDp.of(alone));
    GaussianDp together = GaussianDp.compose(parts);
    return new ModelCost(name, together.mu(), together.epsilon(plan.budget().delta()));
  }

  private static boolean isTuning(Question question) {
    Question.Kind kind = question.kind();
    return kind != Question.Kind.RELEASE && kind != Question.Kind.FINAL && !kind.isTest();
  }

  /** Of a study's charges, those that a model and the tuning before it made. */
  public static List<Charge> charges(String model, List<Charge> all) {
    return all.stream()
        .filter(
            charge ->
                charge.what().equals(model)
                    || Question.of(charge).filter(ModelCost::isTuning).isPresent())
        .toList();
  }
}
