package io.mutune.accountant.gdp;

import static io.mutune.accountant.gdp.Tolerance.closeTo;
import static io.mutune.accountant.gdp.Tolerance.encloses;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.renyi.ZeroConcentratedDp;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of oracle/noise.json, at the tolerances of its notes: the counts to the last one. */
class NoiseOracleTest {
  private static OracleTable table() {
    return OracleTable.read("noise.json");
  }

  static Stream<Row> sigmas() {
    return table().rows("eps_delta_T_to_sigma");
  }

  static Stream<Row> counts() {
    return table().rows("sigma_eps_delta_to_Tmax");
  }

  static Stream<Row> epsilons() {
    return table().rows("sigma_T_delta_to_eps");
  }

  @Test
  void everyRow_isOfAKindThatIsTestedHere() {
    assertThat(table().kinds())
        .containsExactlyInAnyOrder(
            "eps_delta_T_to_sigma", "sigma_eps_delta_to_Tmax", "sigma_T_delta_to_eps");
  }

  @ParameterizedTest
  @MethodSource("sigmas")
  void calibratedNoise_isTheOracles(Row row) {
    NoiseMultiplier sigma = Calibration.noise(row.epsilon(), row.delta(), 1, row.whole("T"));
    assertThat(sigma.value()).is(closeTo(row.number("sigma")));
    assertThat(GaussianDp.ofBudget(row.epsilon(), row.delta()).mu().value())
        .is(closeTo(row.number("mu")));
  }

  @ParameterizedTest
  @MethodSource("counts")
  void theOraclesCount_keepsTheBudgetAndOneMoreDoesNot(Row row) {
    GaussianDp budget = GaussianDp.ofBudget(row.epsilon(), row.delta());
    long count = row.whole("Tmax");
    if (count > 0) {
      assertThat(GaussianDp.ofGaussian(sigma(row), 1, count).mu().value())
          .isLessThanOrEqualTo(budget.mu().value());
    }
    // The next whole number is not within the rounding.
    Mu above = GaussianDp.ofStated(row.epsilon(), row.delta()).mu();
    NoiseMultiplier most = NoiseMultiplier.of(row.up("sigma"));
    assertThat(GaussianDp.ofGaussian(most, 1, count + 1).mu().value()).isGreaterThan(above.value());
    double muSigma = budget.mu().value() * sigma(row).value();
    assertThat(muSigma * muSigma).is(closeTo(row.number("T_real")));
    if (row.has("eps_at_Tmax")) {
      assertThat(epsilonOf(row, count)).is(closeTo(row.number("eps_at_Tmax")));
    }
  }

  @ParameterizedTest
  @MethodSource("epsilons")
  void epsilonOfASigmaAndACount_isTheOraclesAndIsOnItsSideOfIt(Row row) {
    GaussianDp dp = GaussianDp.ofGaussian(NoiseMultiplier.of(row.down("sigma")), 1, row.whole("T"));
    Delta delta = Delta.of(row.down("delta"));
    assertThat(dp.epsilon(delta).value()).is(closeTo(row.number("eps")));
    encloses(dp.epsilonAtMost(delta).value(), dp.epsilon(delta).value(), row.number("eps"));
    assertThat(dp.mu().value()).is(closeTo(row.number("mu")));
    assertThat(ZeroConcentratedDp.ofMu(dp.mu()).rho()).is(closeTo(row.number("rho")));
  }

  private static double epsilonOf(Row row, long count) {
    return GaussianDp.ofGaussian(sigma(row), 1, count).epsilon(row.delta()).value();
  }

  private static NoiseMultiplier sigma(Row row) {
    return NoiseMultiplier.of(row.number("sigma"));
  }
}
