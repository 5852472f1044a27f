package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;

/** The normal tails against 50 digits. */
class NormalTailTest {
  /** What the bound allows, over what was found. */
  private static final double SAFETY = 2;

  /** Steps of an odd fraction, so that arguments have all their digits. */
  private static final double STEP = 0.0317;

  @Test
  void tails_areWithinHalfTheirBound() {
    double worst = 0;
    for (double z = 1e-9; z < 37.5; z += STEP) {
      BigDecimal exact = Digits.normalTail(z);
      BigDecimal rest = BigDecimal.ONE.subtract(exact);
      double beyond = NormalTail.beyond(z);
      assertThat(NormalTail.beyond(-z)).isEqualTo(beyond);
      double bound = NormalTail.relativeError(z);
      worst = Math.max(worst, off(NormalTail.above(z, beyond), exact) / bound);
      worst = Math.max(worst, off(NormalTail.below(-z, beyond), exact) / bound);
      worst = Math.max(worst, off(NormalTail.above(-z, beyond), rest) / bound);
      worst = Math.max(worst, off(NormalTail.below(z, beyond), rest) / bound);
    }
    assertThat(worst).isLessThan(1 / SAFETY);
  }

  @Test
  void theReference_isTheKnownTail() {
    // From another tool, to doubles.
    assertThat(off(0.15865525393145705, Digits.normalTail(1))).isLessThan(1.2e-16);
    assertThat(off(Double.parseDouble("7.6198530241605260659733432516e-24"), Digits.normalTail(10)))
        .isLessThan(2.2e-16);
  }

  private static double off(double computed, BigDecimal exact) {
    return new BigDecimal(computed)
        .subtract(exact)
        .divide(exact, MathContext.DECIMAL64)
        .abs()
        .doubleValue();
  }
}
