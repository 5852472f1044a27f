package io.mutune.accountant.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The audit's integral against oracle/gdp.json, where it is given: δ to 1e-8 relatively. */
class HockeyStickIntegralTest {
  static Stream<Row> deltas() {
    return OracleTable.read("gdp.json").rows("mu_eps_to_delta");
  }

  @ParameterizedTest
  @MethodSource("deltas")
  void logDelta_isTheOracles(Row row) {
    double expected = row.number("ln_delta");
    assertThat(HockeyStickIntegral.logDelta(row.number("mu"), row.number("eps")))
        .isCloseTo(expected, within(Math.max(1e-8, 1e-11 * Math.abs(expected))));
  }
}
