package io.mutune.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Balance;
import io.mutune.testing.ShownCode;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class CostsTest {
  /** Composition of Gaussian mechanisms adds squares of μ; both roundings are far below 1e-9. */
  @Test
  void theExample_leavesWhatCompositionLeaves() {
    Balance balance = Costs.afterOneTrial();
    assertThat(balance.epsilonSpent().value()).isCloseTo(0.3, Offset.offset(1e-9));
    double whole = mu(1);
    double trial = mu(0.3);
    assertThat(balance.left().mu().value())
        .isCloseTo(Math.sqrt(whole * whole - trial * trial), Offset.offset(1e-9));
  }

  @Test
  void theDocumentation_showsTheExample() throws Exception {
    assertThat(ShownCode.source("docs/library.md"))
        .contains("left " + Costs.afterOneTrial().epsilonLeft().value());
    assertThat(ShownCode.in("docs/library.md"))
        .contains(ShownCode.source("accountant/src/test/java/io/mutune/example/Costs.java"));
  }

  private static double mu(double epsilon) {
    return GaussianDp.ofBudget(Epsilon.of(epsilon), Delta.of(1e-5)).mu().value();
  }
}
