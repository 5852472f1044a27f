package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.testing.Effort;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Costs of oracle/dpsgd.json by what may be stated, the smallest bound of all accountants: no
 * accountant pulls it below the truth.
 */
class GuaranteeOracleTest {
  static Stream<Row> epsilons() {
    return Effort.oneIn(12, OracleTable.read("dpsgd.json").rows("epsilon"));
  }

  static Stream<Row> replacements() {
    return OracleTable.read("dpsgd.json").rows("replace_one");
  }

  private static Bound cost(Row row, Adjacency adjacency) {
    SubsampledGaussian steps =
        new SubsampledGaussian(
            NoiseMultiplier.of(row.down("sigma")),
            row.up("q"),
            adjacency.sumSensitivity(),
            row.whole("T"));
    return Guarantee.GUARANTEE.bound(
        Releases.of(adjacency, steps), new EpsilonAt(Delta.of(row.down("delta"))));
  }

  @ParameterizedTest
  @MethodSource("epsilons")
  void dpSgd_costsTheOraclesEpsilonAndNeverLessThanTheTruth(Row row) {
    Bound cost = cost(row, Adjacency.ADD_REMOVE);
    double epsilon = cost.upper();
    assertThat(epsilon).isLessThanOrEqualTo(row.number("rdp"));
    if (row.has("exact")) {
      double exact = row.number("exact");
      // A table's number is rounded at its 17th digit, a double's half unit in the last place.
      assertThat(epsilon).isGreaterThanOrEqualTo(exact * (1 - 0x1p-53));
      assertThat(cost.lower()).isLessThanOrEqualTo(exact * (1 + 0x1p-53));
      assertThat(epsilon).isCloseTo(exact, within(Math.max(1e-4 * exact, 1e-6)));
    }
    if (row.has("best")) {
      double best = row.number("best");
      double tolerance = Math.max(Math.max(2e-4 * best, 2 * row.number("best_unc")), 1e-6);
      double low = row.json().get("bracket").get(0).asDouble();
      double high = row.json().get("bracket").get(1).asDouble();
      assertThat(epsilon).isBetween(low, high);
      assertThat(cost.lower()).isLessThanOrEqualTo(high);
      if (!isBestTooLarge(row)) {
        assertThat(epsilon).isCloseTo(best, within(tolerance));
      }
    }
    if (row.has("lower")) {
      assertThat(epsilon).isGreaterThanOrEqualTo(row.number("lower"));
    }
  }

  /** The rows whose common figure is above ours: see the test of loss distributions. */
  private static boolean isBestTooLarge(Row row) {
    return row.number("sigma") == 4 && row.number("q") == 1e-4 && row.whole("T") == 10_000;
  }

  @ParameterizedTest
  @MethodSource("replacements")
  void underReplacement_theEpsilonIsTheOracles(Row row) {
    Bound cost = cost(row, Adjacency.REPLACE_ONE);
    double upper = row.number("upper");
    assertThat(cost.upper()).isCloseTo(upper, within(Math.max(2e-4 * upper, 1e-6)));
    assertThat(cost.upper()).isGreaterThanOrEqualTo(row.number("lower"));
    assertThat(cost.lower()).isLessThanOrEqualTo(upper);
  }
}
