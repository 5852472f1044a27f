package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.pld.PldAccountant;
import io.mutune.testing.Effort;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rows of oracle/dpsgd.json, at the tolerances of its notes: by loss distributions, and by the
 * smallest bound of all accountants, which none of them pulls below the truth.
 */
class DpSgdOracleTest {
  private static OracleTable table() {
    return OracleTable.read("dpsgd.json");
  }

  static Stream<Arguments> epsilons() {
    return byEach(Effort.oneIn(9, table().rows("epsilon")));
  }

  static Stream<Arguments> replacements() {
    return byEach(table().rows("replace_one"));
  }

  static Stream<Row> calibrations() {
    return table().rows("calibrate");
  }

  private static Stream<Arguments> byEach(Stream<Row> rows) {
    return rows.flatMap(
        row ->
            Stream.of(Accountant.PLD, CombinedGuarantee.GUARANTEE)
                .map(method -> Arguments.of(method, row)));
  }

  private static Bound cost(AccountingMethod method, Row row) {
    Adjacency adjacency = adjacency(row);
    SubsampledGaussian steps =
        new SubsampledGaussian(
            NoiseMultiplier.of(row.down("sigma")),
            row.up("q"),
            adjacency.sumSensitivity(),
            row.whole("T"));
    Query query = new EpsilonAt(Delta.of(row.down("delta")));
    return (Bound) method.answer(Releases.of(adjacency, steps), query);
  }

  @Test
  void everyRow_isOfAKindThatIsTestedHere() {
    assertThat(table().kinds()).containsExactlyInAnyOrder("epsilon", "replace_one", "calibrate");
  }

  @ParameterizedTest
  @MethodSource("epsilons")
  void epsilon_isTheOraclesAndNeverBelowTheTruth(AccountingMethod method, Row row) {
    Bound cost = cost(method, row);
    double upper = cost.upper();
    assertThat(upper).isLessThanOrEqualTo(row.number("rdp"));
    if (row.has("exact")) {
      double exact = row.number("exact");
      // A table's number is rounded at its 17th digit, a double's half unit in the last place.
      assertThat(upper).isGreaterThanOrEqualTo(exact * (1 - 0x1p-53));
      assertThat(cost.lower()).isLessThanOrEqualTo(exact * (1 + 0x1p-53));
      assertThat(upper).isCloseTo(exact, within(Math.max(1e-4 * exact, 1e-6)));
    }
    if (row.has("best")) {
      double best = row.number("best");
      double tolerance = Math.max(Math.max(2e-4 * best, 2 * row.number("best_unc")), 1e-6);
      double high = row.number("bracket", 1);
      assertThat(upper).isBetween(row.number("bracket", 0), high);
      assertThat(cost.lower()).isLessThanOrEqualTo(high);
      if (isBestTooLarge(row)) {
        assertThat(upper - cost.lower()).isLessThan(tolerance);
      } else {
        assertThat(upper).isCloseTo(best, within(tolerance));
      }
    }
    if (row.has("lower")) {
      assertThat(upper).isGreaterThanOrEqualTo(row.number("lower"));
    }
  }

  /**
   * The one row whose common figure is above our interval, which is narrower than the tolerance.
   */
  private static boolean isBestTooLarge(Row row) {
    return row.number("sigma") == 4
        && row.number("q") == 1e-4
        && row.whole("T") == 10_000
        && row.number("delta") == 1e-5;
  }

  @ParameterizedTest
  @MethodSource("replacements")
  void underReplacement_epsilonIsTheOracles(AccountingMethod method, Row row) {
    Bound cost = cost(method, row);
    double upper = row.number("upper");
    assertThat(cost.upper()).isCloseTo(upper, within(Math.max(2e-4 * upper, 1e-6)));
    assertThat(cost.upper()).isBetween(row.number("lower"), upper);
    assertThat(cost.lower()).isLessThanOrEqualTo(upper);
    assertThat(cost.upper()).isGreaterThan(row.number("add_remove_upper"));
  }

  @ParameterizedTest
  @MethodSource("calibrations")
  void theOraclesNoise_costsItsEpsilon(Row row) {
    double epsilon = row.number("eps");
    double sigma = calibrated(row);
    double theirs = row.number("sigma_upper");
    assertThat(sigma).isCloseTo(theirs, within(1e-4 * theirs)).isLessThanOrEqualTo(theirs);
    assertThat(sigma).isGreaterThan(row.number("sigma_lower"));
    if (row.has("sigma_exact")) {
      assertThat(sigma).isCloseTo(row.number("sigma_exact"), within(1e-8 * sigma));
    }
    assertThat(accountant(row, row.number("sigma_upper")).epsilon(row.delta()))
        .isCloseTo(epsilon, within(2e-4 * epsilon));
    assertThat(accountant(row, row.number("sigma_lower")).epsilon(row.delta()))
        .isGreaterThan(epsilon);
    Delta spent = accountant(row, row.number("sigma_upper")).delta(Epsilon.of(epsilon));
    assertThat(spent.value()).isCloseTo(row.number("delta"), within(2e-3 * row.number("delta")));
  }

  /** The smallest noise whose ε is at most the row's, by bisection to a relative 1e-9. */
  private static double calibrated(Row row) {
    double low = row.number("sigma_lower") * 0.99;
    double high = row.number("sigma_upper") * 1.01;
    while (high - low > 1e-9 * high) {
      double middle = (low + high) / 2;
      if (accountant(row, middle).epsilon(row.delta()) <= row.number("eps")) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private static PldAccountant accountant(Row row, double sigma) {
    return PldAccountant.of(
        List.of(
            new SubsampledGaussian(NoiseMultiplier.of(sigma), row.number("q"), 1, row.whole("T"))),
        adjacency(row));
  }

  private static Adjacency adjacency(Row row) {
    return Adjacency.ofKey(row.json().get("adjacency").asString().replace('_', '-')).orElseThrow();
  }
}
