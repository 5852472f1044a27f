package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.testing.Effort;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of oracle/dpsgd.json, at the tolerances of its notes. */
class DpSgdOracleTest {
  private static OracleTable table() {
    return OracleTable.read("dpsgd.json");
  }

  static Stream<Row> epsilons() {
    return Effort.oneIn(9, table().rows("epsilon"));
  }

  static Stream<Row> replacements() {
    return table().rows("replace_one");
  }

  static Stream<Row> calibrations() {
    return table().rows("calibrate");
  }

  @Test
  void everyRow_isOfAKindThatIsTestedHere() {
    assertThat(table().kinds()).containsExactlyInAnyOrder("epsilon", "replace_one", "calibrate");
  }

  @ParameterizedTest
  @MethodSource("epsilons")
  void epsilon_isTheOraclesAndNeverBelowTheTruth(Row row) {
    EpsilonInterval interval = accountant(row, row.number("sigma"), 1).interval(delta(row));
    double upper = interval.upper();
    assertThat(upper).isLessThanOrEqualTo(row.number("rdp"));
    if (row.has("exact")) {
      double exact = row.number("exact");
      // The oracle's 17 digits are rounded, and its inputs are decimals.
      assertThat(upper).isGreaterThanOrEqualTo(exact * (1 - 1e-14));
      assertThat(interval.lower()).isLessThanOrEqualTo(exact * (1 + 1e-14));
      assertThat(upper).isCloseTo(exact, within(Math.max(1e-4 * exact, 1e-6)));
    }
    if (row.has("best")) {
      double best = row.number("best");
      double tolerance = Math.max(Math.max(2e-4 * best, 2 * row.number("best_unc")), 1e-6);
      double low = row.json().get("bracket").get(0).asDouble();
      double high = row.json().get("bracket").get(1).asDouble();
      assertThat(upper).isBetween(low, high);
      assertThat(interval.lower()).isLessThanOrEqualTo(high);
      if (isBestTooLarge(row)) {
        assertThat(upper - interval.lower()).isLessThan(tolerance);
      } else {
        assertThat(upper).isCloseTo(best, within(tolerance));
      }
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
  void underReplacement_epsilonIsTheOracles(Row row) {
    EpsilonInterval interval = accountant(row, row.number("sigma"), 2).interval(delta(row));
    double upper = row.number("upper");
    assertThat(interval.upper()).isCloseTo(upper, within(Math.max(2e-4 * upper, 1e-6)));
    assertThat(interval.upper()).isBetween(row.number("lower"), upper);
    assertThat(interval.lower()).isLessThanOrEqualTo(upper);
    assertThat(interval.upper()).isGreaterThan(row.number("add_remove_upper"));
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
    assertThat(accountant(row, row.number("sigma_upper"), 1).epsilon(delta(row)))
        .isCloseTo(epsilon, within(2e-4 * epsilon));
    assertThat(accountant(row, row.number("sigma_lower"), 1).epsilon(delta(row)))
        .isGreaterThan(epsilon);
    Delta spent = accountant(row, row.number("sigma_upper"), 1).delta(Epsilon.of(epsilon));
    assertThat(spent.value()).isCloseTo(row.number("delta"), within(2e-3 * row.number("delta")));
  }

  /** The smallest noise whose ε is at most the row's, by bisection to a relative 1e-9. */
  private static double calibrated(Row row) {
    double low = row.number("sigma_lower") * 0.99;
    double high = row.number("sigma_upper") * 1.01;
    while (high - low > 1e-9 * high) {
      double middle = (low + high) / 2;
      if (accountant(row, middle, 1).epsilon(delta(row)) <= row.number("eps")) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private static PldAccountant accountant(Row row, double sigma, double sensitivity) {
    return PldAccountant.of(
        List.of(
            new SubsampledGaussian(
                NoiseMultiplier.of(sigma), row.number("q"), sensitivity, row.whole("T"))),
        Adjacency.ofKey(row.json().get("adjacency").asString().replace('_', '-')).orElseThrow());
  }

  private static Delta delta(Row row) {
    return Delta.of(row.number("delta"));
  }
}
