package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every row of oracle/dpsgd.json and heterogeneous.json: no looser than that library's Rényi
 * accountant, and never below the certified lower end of the truth.
 */
class MixtureOracleTest {
  /** Two sums of exponentials, each with its own roundings. */
  private static final double ROUNDING = 1 + 1e-9;

  static Stream<Row> dpSgd() {
    return OracleTable.read("dpsgd.json").rows("epsilon");
  }

  static Stream<Row> replaceOne() {
    return OracleTable.read("dpsgd.json").rows("replace_one");
  }

  static Stream<Row> calibrated() {
    return OracleTable.read("dpsgd.json").rows("calibrate");
  }

  static Stream<Row> mixtures() {
    return OracleTable.read("heterogeneous.json").all();
  }

  private static double epsilon(Row row, double sigma, Delta delta) {
    return Oracle.cost(Oracle.dpSgd(sigma, row.number("q"), row.whole("T"))).epsilon(delta).value();
  }

  @Test
  void everyRow_isOfAKindThatIsTestedHere() {
    assertThat(OracleTable.read("dpsgd.json").kinds())
        .containsExactlyInAnyOrder("epsilon", "replace_one", "calibrate");
  }

  @ParameterizedTest
  @MethodSource("dpSgd")
  void dpSgd_isBetweenTheTruthAndTheDefaultOrders(Row row) {
    double epsilon = epsilon(row, row.number("sigma"), row.delta());
    assertThat(epsilon).isLessThanOrEqualTo(row.number("rdp") * ROUNDING);
    for (String bound : new String[] {"lower", "exact"}) {
      if (row.has(bound)) {
        assertThat(epsilon).isGreaterThanOrEqualTo(row.number(bound));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("replaceOne")
  void aRowReplaced_costsAtLeastTheTruth(Row row) {
    RenyiDp dp =
        RenyiDp.of(
            new SubsampledGaussian(
                NoiseMultiplier.of(row.number("sigma")), row.number("q"), 2.0, row.whole("T")),
            Adjacency.REPLACE_ONE);
    assertThat(dp.epsilon(row.delta()).value()).isGreaterThanOrEqualTo(row.number("lower"));
  }

  @ParameterizedTest
  @MethodSource("calibrated")
  void theRenyiSigmaOfTheTable_keepsTheBudgetHere(Row row) {
    assertThat(epsilon(row, row.number("sigma_rdp"), row.delta()))
        .isLessThanOrEqualTo(row.number("eps") * ROUNDING);
  }

  @ParameterizedTest
  @MethodSource("mixtures")
  void aMixture_isBetweenTheTruthAndTheDefaultOrders(Row row) {
    RenyiDp dp = RenyiDp.compose(row.mechanisms().stream().map(Oracle::cost).toList());
    for (int i = 0; i < row.json().get("deltas").size(); i++) {
      Delta delta = Delta.of(row.number("deltas", i));
      double lower = row.number("lower", i);
      if (Double.isInfinite(lower)) {
        assertThatIllegalArgumentException().isThrownBy(() -> dp.epsilon(delta));
        continue;
      }
      double epsilon = dp.epsilon(delta).value();
      assertThat(epsilon).isGreaterThanOrEqualTo(lower);
      if (row.has("rdp")) {
        assertThat(epsilon).isLessThanOrEqualTo(row.number("rdp", i) * ROUNDING);
      }
    }
  }
}
