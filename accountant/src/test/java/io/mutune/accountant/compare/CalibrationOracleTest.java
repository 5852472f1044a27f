package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the oracle that is a calibration, by the one search, at the notes' tolerances. */
class CalibrationOracleTest {
  /** 1e-10, in percent. */
  private static final double EXACT = 1e-8;

  static Stream<Row> sigmas() {
    return OracleTable.read("noise.json").rows("eps_delta_T_to_sigma");
  }

  static Stream<Row> counts() {
    return OracleTable.read("noise.json").rows("sigma_eps_delta_to_Tmax");
  }

  static Stream<Row> remainders() {
    return OracleTable.read("composition.json").rows("remaining");
  }

  static Stream<Row> sampled() {
    return OracleTable.read("dpsgd.json").rows("calibrate");
  }

  private static Calibrator calibrator(AccountingMethod method, Row row, String epsilon) {
    return new Calibrator(method, Epsilon.of(row.number(epsilon)), row.delta());
  }

  private static Releases gaussian(double sigma, long count) {
    return Releases.of(Adjacency.ADD_REMOVE, new Gaussian(NoiseMultiplier.of(sigma), 1, count));
  }

  private static Releases dpSgd(double sigma, Row row) {
    return Releases.of(
        Adjacency.ADD_REMOVE,
        new SubsampledGaussian(NoiseMultiplier.of(sigma), row.number("q"), 1, row.whole("T")));
  }

  @ParameterizedTest
  @MethodSource("sigmas")
  void gaussianNoise_isTheOracles(Row row) {
    double sigma =
        calibrator(CombinedGuarantee.GUARANTEE, row, "eps")
            .noise(s -> gaussian(s, row.whole("T")))
            .value();
    assertThat(sigma).isCloseTo(row.number("sigma"), withinPercentage(EXACT));
  }

  @ParameterizedTest
  @MethodSource("counts")
  void theLargestCount_isTheOraclesExactly(Row row) {
    long count =
        calibrator(CombinedGuarantee.GUARANTEE, row, "eps")
            .largestCount(t -> gaussian(row.number("sigma"), t));
    assertThat(count).isEqualTo(row.whole("Tmax"));
  }

  @ParameterizedTest
  @MethodSource("remainders")
  void theFinalShare_isTheOracles(Row row) {
    Releases spent = new Releases(runs(row), Adjacency.ADD_REMOVE);
    Optional<Mu> share =
        calibrator(CombinedGuarantee.GUARANTEE, row, "eps_total").finalShare(spent);
    if (row.has("mu_f")) {
      assertThat(share.orElseThrow().value())
          .isCloseTo(row.number("mu_f"), withinPercentage(EXACT));
    } else {
      assertThat(share).isEmpty();
    }
  }

  private static List<Mechanism> runs(Row row) {
    Delta delta = row.delta();
    return row.json().get("parts").values().stream()
        .flatMap(
            part -> {
              Epsilon epsilon = Epsilon.of(Double.parseDouble(part.get(1).asString()));
              double mu = GaussianDp.ofBudget(epsilon, delta).mu().value();
              Mechanism run = new Gaussian(NoiseMultiplier.of(1), mu, 1);
              return Collections.nCopies(part.get(0).asInt(), run).stream();
            })
        .toList();
  }

  @ParameterizedTest
  @MethodSource("sampled")
  void sampledNoise_isWithinATenThousandthOfTheOraclesSafeOne(Row row) {
    double sigma =
        calibrator(CombinedGuarantee.GUARANTEE, row, "eps").noise(s -> dpSgd(s, row)).value();
    double safe = row.number("sigma_upper");
    assertThat(sigma).isCloseTo(safe, within(1e-4 * safe));
    assertThat(sigma).isGreaterThanOrEqualTo(row.number("sigma_lower"));
    Query query = new EpsilonAt(row.delta());
    assertThat(CombinedGuarantee.GUARANTEE.bound(dpSgd(sigma, row), query).upper())
        .isLessThanOrEqualTo(row.number("eps"));
    if (row.has("sigma_exact")) {
      assertThat(sigma).isCloseTo(row.number("sigma_exact"), withinPercentage(EXACT));
    }
  }

  /** That library's Rényi noise is what a bisection over default orders leaves. */
  @ParameterizedTest
  @MethodSource("sampled")
  void renyiNoise_isBetweenTheTruthAndTheDefaultOrders(Row row) {
    double sigma = calibrator(Accountant.RDP, row, "eps").noise(s -> dpSgd(s, row)).value();
    assertThat(sigma).isBetween(row.number("sigma_lower"), row.number("sigma_rdp") * (1 + 1e-6));
  }
}
