package io.mutune.accountant.ledger;

import static io.mutune.accountant.ledger.Studies.BUDGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.GaussianDp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetTest {
  @Test
  void itsCap_isTheMuOfItsEpsilonAndDelta() {
    assertThat(BUDGET.cap()).isEqualTo(GaussianDp.ofBudget(BUDGET.epsilon(), BUDGET.delta()));
  }

  @Test
  void aBudgetOfNothing_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Budget(Epsilon.of(0), Delta.of(1e-5), Adjacency.ADD_REMOVE))
        .withMessage("a budget's epsilon must be above 0; was 0.0");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void aBudgetWithoutAProperDelta_isRefused(double delta) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Budget(Epsilon.of(1), Delta.of(delta), Adjacency.REPLACE_ONE))
        .withMessage("a budget's delta must be above 0 and below 1; was " + delta);
  }
}
