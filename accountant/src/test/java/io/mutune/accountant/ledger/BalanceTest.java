package io.mutune.accountant.ledger;

import static io.mutune.accountant.ledger.Studies.BUDGET;
import static io.mutune.accountant.ledger.Studies.charge;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.List;
import org.junit.jupiter.api.Test;

class BalanceTest {
  private static final Balance AFTER_TWO =
      Balance.of(BUDGET, List.of(charge("trial 1", 200), charge("trial 2", 100)));

  @Test
  void whatIsSpent_isWhatTheChargesComposeTo() {
    assertThat(AFTER_TWO.spent())
        .isEqualTo(
            GaussianDp.compose(List.of(GaussianDp.of(Mu.of(0.05)), GaussianDp.of(Mu.of(0.1)))));
    assertThat(AFTER_TWO.epsilonSpent()).isEqualTo(AFTER_TWO.spent().epsilon(BUDGET.delta()));
  }

  @Test
  void whatIsLeft_isTheRestOfTheBudgetInMuSquared() {
    assertThat(AFTER_TWO.left()).isEqualTo(BUDGET.cap().remaining(AFTER_TWO.spent()).orElseThrow());
  }

  @Test
  void theEpsilonLeft_isRoundedDown() {
    assertThat(AFTER_TWO.epsilonLeft()).isEqualTo(AFTER_TWO.left().epsilonAtMost(BUDGET.delta()));
    assertThat(AFTER_TWO.epsilonLeft().value())
        .isLessThan(AFTER_TWO.left().epsilon(BUDGET.delta()).value());
  }

  @Test
  void beforeAnyCharge_theWholeBudgetIsLeft() {
    Balance before = Balance.of(BUDGET, List.of());
    assertThat(before.spent()).isEqualTo(GaussianDp.NONE);
    assertThat(before.left()).isEqualTo(BUDGET.cap());
    assertThat(before.epsilonSpent()).isEqualTo(Epsilon.of(0));
  }

  @Test
  void anOverdrawnBudget_hasNothingLeft() {
    Balance overdrawn = Balance.of(BUDGET, List.of(charge("trial 1", 1)));
    assertThat(overdrawn.left()).isEqualTo(GaussianDp.NONE);
    assertThat(overdrawn.epsilonLeft()).isEqualTo(Epsilon.of(0));
  }
}
