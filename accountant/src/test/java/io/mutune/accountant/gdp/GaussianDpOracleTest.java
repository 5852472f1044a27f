package io.mutune.accountant.gdp;

import static io.mutune.accountant.gdp.Tolerance.closeTo;
import static io.mutune.accountant.gdp.Tolerance.encloses;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of oracle/gdp.json, at the tolerances of its notes. */
class GaussianDpOracleTest {
  private static OracleTable table() {
    return OracleTable.read("gdp.json");
  }

  static Stream<Row> muDeltaToEpsilon() {
    return table().rows("mu_delta_to_eps");
  }

  static Stream<Row> epsilonDeltaToMu() {
    return table().rows("eps_delta_to_mu");
  }

  static Stream<Row> muEpsilonToDelta() {
    return table().rows("mu_eps_to_delta");
  }

  @Test
  void everyRow_isOfAKindThatIsTestedHere() {
    assertThat(table().kinds())
        .containsExactlyInAnyOrder("mu_delta_to_eps", "eps_delta_to_mu", "mu_eps_to_delta");
  }

  @ParameterizedTest
  @MethodSource("muDeltaToEpsilon")
  void epsilon_isTheOraclesAndIsOnItsSideOfIt(Row row) {
    GaussianDp dp = GaussianDp.of(Mu.of(row.up("mu")));
    Delta delta = Delta.of(row.down("delta"));
    assertThat(dp.epsilon(delta).value()).is(closeTo(row.number("eps")));
    assertThat(dp.epsilonAtMost(delta).value()).is(closeTo(row.number("eps")));
    encloses(dp.epsilonAtMost(delta).value(), dp.epsilon(delta).value(), row.number("eps"));
  }

  @ParameterizedTest
  @MethodSource("epsilonDeltaToMu")
  void muOfABudget_isTheOracles(Row row) {
    GaussianDp dp = GaussianDp.ofBudget(row.epsilon(), row.delta());
    assertThat(dp.mu().value()).is(closeTo(row.number("mu")));
    GaussianDp stated = GaussianDp.ofStated(Epsilon.of(row.up("eps")), row.delta());
    assertThat(stated.mu().value()).is(closeTo(row.number("mu")));
    assertThat(stated.mu().value()).isGreaterThanOrEqualTo(row.number("mu") * (1 - 0x1p-53));
  }

  @ParameterizedTest
  @MethodSource("muEpsilonToDelta")
  void delta_isTheOraclesAlsoWhereItUnderflows(Row row) {
    GaussianDp dp = GaussianDp.of(Mu.of(row.number("mu")));
    Epsilon epsilon = row.epsilon();
    double logDelta = row.number("ln_delta");
    assertThat(HockeyStick.logDelta(dp.mu().value(), epsilon.value(), 0)).is(closeTo(logDelta));
    double delta = dp.delta(epsilon).value();
    if (logDelta > Math.log(Double.MIN_NORMAL)) {
      assertThat(Math.log(delta)).is(closeTo(logDelta));
    } else {
      assertThat(delta).isEqualTo(Double.MIN_VALUE);
    }
  }
}
