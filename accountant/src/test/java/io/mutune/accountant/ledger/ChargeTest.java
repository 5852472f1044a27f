package io.mutune.accountant.ledger;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import org.junit.jupiter.api.Test;

class ChargeTest {
  private static final PureDp RUN = new PureDp(Epsilon.of(1), 1);

  /** Else a budget would be asked for nothing, and fail where it adds up. */
  @Test
  @SuppressWarnings("NullAway") // what callers without such checks may do
  void whatHasNoMechanismOrNoName_isNoCharge() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Charge(" ", RUN));
    assertThatNullPointerException()
        .isThrownBy(() -> new Charge("trial 1", null))
        .withMessage("mechanism");
    assertThatNullPointerException()
        .isThrownBy(() -> new RepeatAndSelect(null, new PoissonTrials(2)))
        .withMessage("run");
    assertThatNullPointerException()
        .isThrownBy(() -> new RepeatAndSelect(RUN, null))
        .withMessage("trials");
  }
}
