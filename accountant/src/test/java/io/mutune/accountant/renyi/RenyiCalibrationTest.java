package io.mutune.accountant.renyi;

import static io.mutune.accountant.renyi.Oracle.cost;
import static io.mutune.accountant.renyi.Oracle.dpSgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RenyiCalibrationTest {
  private static final Epsilon ONE = Epsilon.of(1);
  private static final Delta DELTA = Delta.of(1e-5);

  static Stream<Row> rows() {
    return OracleTable.read("dpsgd.json").rows("calibrate");
  }

  /** That library's Rényi noise is what a bisection of default orders leaves. */
  @ParameterizedTest
  @MethodSource("rows")
  void noise_isBetweenTheTruthAndTheDefaultOrders(Row row) {
    double sigma =
        RenyiCalibration.noise(
                Epsilon.of(row.number("eps")),
                Delta.of(row.number("delta")),
                s -> cost(dpSgd(s, row.number("q"), row.whole("T"))))
            .value();
    assertThat(sigma).isBetween(row.number("sigma_lower"), row.number("sigma_rdp") * (1 + 1e-6));
  }

  @ParameterizedTest
  @CsvSource({"0.01, 0.1", "1, 0.01", "8, 0.5", "1e5, 1"})
  void noise_keepsTheBudgetAndALittleLessDoesNot(double epsilon, double rate) {
    Epsilon budget = Epsilon.of(epsilon);
    double sigma = RenyiCalibration.noise(budget, DELTA, s -> cost(dpSgd(s, rate, 100))).value();
    assertThat(cost(dpSgd(sigma, rate, 100)).keeps(budget, DELTA)).isTrue();
    assertThat(cost(dpSgd(sigma * (1 - 1e-6), rate, 100)).keeps(budget, DELTA)).isFalse();
  }

  @Test
  void aBudgetThatNoNoiseKeeps_isRefused() {
    RenyiDp rest = cost(new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-4), 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RenyiCalibration.noise(ONE, DELTA, s -> rest))
        .withMessageContaining("no noise multiplier up to ")
        .withMessageContaining("keeps epsilon 1.0 at delta 1.0E-5");
  }

  @Test
  void anyNoiseAtAll_isCutShort() {
    assertThat(RenyiCalibration.noise(ONE, DELTA, s -> RenyiDp.NONE).value()).isLessThan(1e-9);
  }

  @ParameterizedTest
  @CsvSource({"1, 0.01", "4, 0.1", "20, 1", "100, 0.001"})
  void theLargestCount_keepsTheBudgetAndOneMoreDoesNot(double sigma, double rate) {
    long count = RenyiCalibration.largestCount(ONE, DELTA, cost(dpSgd(sigma, rate, 1)));
    assertThat(count).isPositive();
    assertThat(cost(dpSgd(sigma, rate, count)).epsilon(DELTA).value())
        .isLessThanOrEqualTo(1 + 1e-9);
    assertThat(cost(dpSgd(sigma, rate, count + 1)).epsilon(DELTA).value()).isGreaterThan(1 - 1e-9);
  }

  @Test
  void aReleaseThatIsTooDear_fitsNever() {
    assertThat(RenyiCalibration.largestCount(ONE, DELTA, cost(new PureDp(Epsilon.of(9), 1))))
        .isZero();
  }

  @Test
  void aReleaseThatCostsNothing_fitsAlways() {
    assertThat(RenyiCalibration.largestCount(ONE, DELTA, RenyiDp.NONE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theLargestRate_keepsTheBudgetAndALittleMoreDoesNot() {
    double rate = RenyiCalibration.samplingRate(ONE, DELTA, q -> cost(dpSgd(2, q, 1000)));
    assertThat(rate).isBetween(1e-4, 0.1);
    assertThat(cost(dpSgd(2, rate, 1000)).keeps(ONE, DELTA)).isTrue();
    assertThat(cost(dpSgd(2, rate * (1 + 1e-6), 1000)).keeps(ONE, DELTA)).isFalse();
  }

  @Test
  void enoughNoise_letsEveryRowTakePart() {
    assertThat(RenyiCalibration.samplingRate(ONE, DELTA, q -> cost(dpSgd(500, q, 100))))
        .isEqualTo(1);
  }

  @Test
  void aBudgetThatNoRateKeeps_isRefused() {
    RenyiDp rest = cost(new PureDp(Epsilon.of(9), 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RenyiCalibration.samplingRate(ONE, DELTA, q -> rest))
        .withMessageContaining("no sampling rate down to ");
  }
}
