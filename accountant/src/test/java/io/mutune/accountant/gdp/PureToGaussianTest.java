package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The smallest μ for ε-DP, against 40-digit arithmetic, never below it. */
class PureToGaussianTest {
  /** The room that is left for rounding upward, in all. */
  private static final double ROOM = 1e-13;

  @ParameterizedTest
  @CsvSource({
    "1e-300, 1.2533141373155002512e-300",
    "1e-6, 1.2533141373153958084e-6",
    "0.1, 0.12530901221160758106",
    "1, 1.2320353853449009729",
    "1.99, 2.3474074139447081055",
    "2, 2.3579614856472497116",
    "5, 4.9466784455956585928",
    "50, 19.349650567224713018",
    "700, 74.590159265294833914",
    "800, 79.769389676513355137",
    "1e6, 2828.4155659820346539",
  })
  void mu_isTheTablesRoundedUp(double epsilon, double expected) {
    double mu = GaussianDp.ofPure(Epsilon.of(epsilon)).mu().value();
    assertThat(mu).isBetween(expected, Math.nextUp(expected * (1 + ROOM)));
  }

  @Test
  void noLoss_isNoMu() {
    assertThat(GaussianDp.ofPure(Epsilon.of(0))).isEqualTo(GaussianDp.NONE);
  }

  @ParameterizedTest
  @CsvSource({"1e300, 2.8284271247461903e150", "1e-320, 1.25e-320"})
  void extremes_haveAFiniteMu(double epsilon, double about) {
    double mu = GaussianDp.ofPure(Epsilon.of(epsilon)).mu().value();
    assertThat(mu).isBetween(about, about * 1.01);
  }

  /** Randomised response touches the curve at δ = 1/(1 + e^ε)·(e^ε − 1) for ε' = 0. */
  @Property
  void itsCurve_touchesThatOfRandomizedResponse(
      @ForAll @DoubleRange(min = 0.01, max = 30) double epsilon) {
    GaussianDp dp = GaussianDp.ofPure(Epsilon.of(epsilon));
    double distance = Math.tanh(epsilon / 2);
    assertThat(dp.delta(Epsilon.of(0)).value()).isBetween(distance, distance * (1 + 1e-12));
    assertThat(dp.epsilon(Delta.of(distance * (1 - 1e-9))).value()).isPositive();
  }
}
