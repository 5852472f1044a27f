package io.mutune.orchestrator.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.FormNote;
import io.mutune.orchestrator.sweep.StudyPlan;
import io.mutune.orchestrator.sweep.Sweeps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatementsTest {
  /**
   * How many steps the final run has may follow from scores, and how σ is rounded from the steps:
   * the guarantee is that of the worst choice.
   */
  @Test
  void whateverTheStepsOfTheFinalRun_theStatementHasTheMuOfThePlan() {
    int below = 0;
    for (String sweep : List.of(Sweeps.SCALE_FREE, Sweeps.FIXED)) {
      StudyPlan plan = StudyPlan.of(Sweeps.read(sweep));
      double planned = plan.totalMu().orElseThrow().value();
      assertThat(planned).isLessThanOrEqualTo(plan.budget().cap().mu().value());
      for (int steps = 1; steps <= 300; steps++) {
        List<Charge> charges = new ArrayList<>();
        for (PlannedTrial trial : plan.trials()) {
          charges.add(plan.trialCharge(trial));
          plan.scoreCharge(trial).ifPresent(charges::add);
        }
        charges.add(plan.finalCharge(new TrialPoint(1, steps)));

        PrivacyStatement statement = Statements.of(plan, FormNote.notRecorded(), charges);

        assertThat(statement.mu().orElseThrow().value()).isEqualTo(planned);
        assertThat(statement.epsilon().value())
            .isLessThanOrEqualTo(plan.budget().epsilon().value());
        below += Balance.of(plan.budget(), charges).spent().mu().value() < planned ? 1 : 0;
      }
    }
    // Else there would be nothing to guard against.
    assertThat(below).isPositive();
  }
}
