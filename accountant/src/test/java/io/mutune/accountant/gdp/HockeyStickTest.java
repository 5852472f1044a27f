package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.apache.commons.math3.analysis.integration.IterativeLegendreGaussIntegrator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hockey-stick divergence and the Mills ratios below it. */
class HockeyStickTest {
  /** By an adaptive integration of the definition, to its 1e-12. */
  @ParameterizedTest
  @CsvSource({
    "-0.5, 1e-9",
    "-0.5, 0.5",
    "0, 0.3",
    "0.7, 1e-4",
    "1, 0.999",
    "2, 1e-12",
    "5, 0.1",
    "40, 30",
    "300, 2",
    "1000, 1e-3"
  })
  void theDropOfAMillsRatio_isItsIntegral(double x, double step) {
    double end = x > 1 ? 60 / x : 14;
    double integral =
        new IterativeLegendreGaussIntegrator(30, 1e-12, 1e-300, 3, 60)
            .integrate(
                1_000_000, t -> Math.exp(-x * t - t * t / 2) * -Math.expm1(-step * t), 0, end);
    assertThat(MillsRatio.logDrop(x, step)).isCloseTo(Math.log(integral), within(1e-11));
  }

  /** Where one form ends and the other begins, at a step of the scale. */
  @ParameterizedTest
  @CsvSource({"-0.5", "0", "1", "3", "50"})
  void bothForms_agreeWhereTheyMeet(double x) {
    double step = Math.max(1, x);
    assertThat(MillsRatio.logDrop(x, Math.nextDown(step)))
        .isCloseTo(MillsRatio.logDrop(x, step), within(1e-14));
  }

  @Property
  void theRoughForm_isNearTheExactOneWhereMuIsNotSmall(
      @ForAll @DoubleRange(min = 0.01, max = 10) double mu,
      @ForAll @DoubleRange(min = 0, max = 20) double epsilon) {
    double exact = HockeyStick.logDelta(mu, epsilon, 0);
    if (exact > -700) {
      assertThat(HockeyStick.logDeltaRoughly(mu, epsilon)).isCloseTo(exact, within(1e-6));
    }
  }

  @Test
  void deltaAtMost_isBelowDeltaByAHair() {
    for (double mu : new double[] {0.01, 0.5, 3, 40}) {
      for (double epsilon : new double[] {0, 0.1, 2, 30}) {
        GaussianDp dp = GaussianDp.of(Mu.of(mu));
        double above = dp.delta(Epsilon.of(epsilon)).value();
        double below = dp.deltaAtMost(Epsilon.of(epsilon));
        assertThat(below).isNotNegative().isLessThanOrEqualTo(above);
        assertThat(above - below).isLessThanOrEqualTo(1e-10 * above + 1e-300);
      }
    }
    assertThat(GaussianDp.NONE.deltaAtMost(Epsilon.of(0))).isZero();
  }

  private static final PrivateSide.Start NOWHERE = new PrivateSide.Start(Double.NaN, -1);

  /** The root is found the hard way where the rough function has none or another. */
  @Test
  void aRoughFunctionThatMisleads_costsTimeAndNothingElse() {
    for (double offset : new double[] {-5, -1e-3, 0, 1e-9, 1e-3, 5, 100}) {
      double above = PrivateSide.whereNotAbove(x -> 2 - x, x -> 2 + offset - x, 0, 10);
      assertThat(above).isBetween(2.0, 2 + 1e-14);
      double below = PrivateSide.whereNotBelow(x -> 2 - x, x -> 2 + offset - x, NOWHERE, 0, 10);
      assertThat(below).isBetween(2 - 1e-14, 2.0);
    }
  }
}
