package io.mutune.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.GaussianCover;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.orchestrator.sweep.Sweeps;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountCostTest {
  private static StudyPlan plan(String text) {
    return StudyPlan.of(Sweeps.read(text));
  }

  @Test
  void aPlanInMu_costsTheMuOfItsBudget_asBefore() {
    StudyPlan plan = plan(Sweeps.SCALE_FREE);
    assertThat(plan.accountCost()).contains(ApproximateGaussianDp.of(plan.budget().cap()));
  }

  @Test
  void sampledSteps_costAMuOfHardlyMoreEpsilon_andATenthOfDelta() {
    StudyPlan plan = plan(Sweeps.SCALE_FREE + "train: {method: dp-sgd, batchSize: 500}\n");
    Budget budget = plan.budget();
    ApproximateGaussianDp cost = plan.accountCost().orElseThrow();
    assertThat(cost.delta0().value())
        .isBetween(0.09999 * budget.delta().value(), 0.1 * budget.delta().value());
    assertThat(cost.epsilon(budget.delta()).value() / plan.total().value()).isBetween(1.0, 1.01);
    assertThat(plan.accountCost()).contains(cost);
  }

  @Test
  void randomStopping_costsMore_withRoomForTheLawOfItsRuns() {
    StudyPlan plan = plan(Sweeps.SAMPLES);
    Budget budget = plan.budget();
    ApproximateGaussianDp cost = plan.accountCost().orElseThrow();
    ApproximateGaussianDp cover =
        GaussianCover.of(PlanTotal.releases(budget, plan.whole()), budget.delta()).orElseThrow();
    assertThat(cost.mu()).isEqualTo(cover.mu());
    assertThat(cost.delta0().value() / cover.delta0().value() - 1).isBetween(0.9e-7, 1.1e-7);
    assertThat(cost.epsilon(budget.delta()).value()).isBetween(plan.total().value(), 5.0);
    assertThat(cost.delta(Epsilon.of(0)).value()).isLessThan(0.5);
  }

  /** All runs together, not the one whose model is kept. */
  @Test
  void plainRandomStopping_costsWhatCoversItsSelection() {
    StudyPlan plan = plan(Sweeps.STOPPING);
    Budget budget = plan.budget();
    List<Charge> selection = List.of(plan.secretRuns().orElseThrow().charge());
    assertThat(plan.whole()).isEqualTo(selection);
    ApproximateGaussianDp cost = plan.accountCost().orElseThrow();
    assertThat(cost.mu())
        .isEqualTo(
            GaussianCover.of(PlanTotal.releases(budget, selection), budget.delta())
                .orElseThrow()
                .mu());
    assertThat(cost.epsilon(budget.delta()).value()).isBetween(plan.total().value(), 5.0);
  }
}
