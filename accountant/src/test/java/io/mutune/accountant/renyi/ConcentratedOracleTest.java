package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.pld.PldAccountant;
import io.mutune.accountant.renyi.SimpleComposition.Release;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of oracle/tcdp.json, to a relative 1e-12, and never on the wrong side. */
class ConcentratedOracleTest {
  private static final double TOLERANCE = 1e-12;

  /** Of which the table's rates are whole numbers. */
  private static final long ROWS = 10_000;

  /** 1e-10, in percent: the notes' tolerance for closed forms. */
  private static final double GAUSSIAN_PERCENT = 1e-8;

  private static OracleTable table() {
    return OracleTable.read("tcdp.json");
  }

  static Stream<Row> ppsgdBudgets() {
    return table().rows("ppsgd_eq3");
  }

  static Stream<Row> ppsgdSteps() {
    return table().rows("ppsgd_eq4");
  }

  static Stream<Row> samples() {
    return table().rows("tcdp_theorem4");
  }

  static Stream<Row> truncated() {
    return table().rows("tcdp_to_eps");
  }

  static Stream<Row> advanced() {
    return table().rows("advanced_composition");
  }

  static Stream<Row> concentrated() {
    return table().rows("zcdp_to_eps");
  }

  /** An upper bound: the table's digits end after the seventeenth. */
  private static Condition<Double> justAbove(double expected) {
    return new Condition<>(
        actual ->
            actual >= expected * (1 - 1e-16) && actual <= expected + Math.abs(expected) * TOLERANCE,
        "just above %s",
        expected);
  }

  private static Condition<Double> justBelow(double expected) {
    return new Condition<>(
        actual -> actual <= expected * (1 + 1e-16) && actual >= expected * (1 - TOLERANCE),
        "just below %s",
        expected);
  }

  private static Condition<Double> closeTo(double expected) {
    return new Condition<>(
        actual -> Math.abs(actual - expected) <= Math.abs(expected) * TOLERANCE,
        "close to %s",
        expected);
  }

  private static boolean flag(Row row, String key) {
    return row.json().get(key).asBoolean();
  }

  @Test
  void everyRow_isOfAKindThatIsTestedHere() {
    assertThat(table().kinds())
        .containsExactlyInAnyOrder(
            ("ppsgd_eq3 ppsgd_eq4 tcdp_theorem4 tcdp_to_eps advanced_composition zcdp_to_eps")
                .split(" "));
  }

  @ParameterizedTest
  @MethodSource("ppsgdBudgets")
  void aBudget_keepsAllItsDigitsHoweverSmall(Row row) {
    TruncatedConcentratedDp total = TruncatedConcentratedDp.ofBudget(row.epsilon(), row.delta());
    assertThat(total.rho()).is(justBelow(row.number("rho_total")));
    assertThat(total.omega()).is(justAbove(row.number("omega_total")));
  }

  @ParameterizedTest
  @MethodSource("ppsgdSteps")
  void aStep_hasThePapersNoiseAndReportsItsConditions(Row row) {
    PpsgdStep step = PpsgdStep.of(row.number("rho_t"), row.whole("s"), row.whole("m"));
    assertThat(step.rhoSample()).is(justBelow(row.number("rho_s")));
    assertThat(step.omegaSample()).is(closeTo(row.number("omega_s")));
    assertThat(step.omegaStep()).is(closeTo(row.number("omega_out")));
    assertThat(step.noiseVariance()).is(justAbove(row.number("noise_var_over_C2")));
    if (!flag(row, "equality")) {
      assertThat(step.rateIsSmall()).isEqualTo(flag(row, "cond_s"));
      assertThat(step.rhoIsSmall()).isEqualTo(flag(row, "cond_rho"));
      assertThat(step.logIsLarge()).isEqualTo(flag(row, "cond_log"));
      assertThat(step.theoremApplies()).isEqualTo(flag(row, "thm4_applies"));
    }
    TruncatedConcentratedDp total = TruncatedConcentratedDp.ofBudget(row.epsilon(), row.delta());
    assertThat(total.omega()).is(justAbove(row.number("omega_total")));
    assertThat(step.covers(total)).isEqualTo(flag(row, "cond_omega_out_ge_total"));
  }

  /** Put back through equation 4, what Theorem 4 takes is what a step is allowed. */
  @ParameterizedTest
  @MethodSource("samples")
  void aStep_isAmplifiedWhereTheTheoremApplies(Row row) {
    double rate = row.number("s");
    double rho = row.number("rho");
    double budget = row.has("rho_out") ? row.number("rho_out") : 13 * rate * rate * rho;
    PpsgdStep step = PpsgdStep.of(budget, Math.round(rate * ROWS), ROWS);
    assertThat(step.rhoSample()).is(closeTo(rho));
    assertThat(step.omegaSample()).is(closeTo(row.number("omega_needed")));
    // A step's noise has the ω that is needed; the row's mechanism may have less.
    boolean hasOmega = row.number("omega") >= step.omegaSample();
    assertThat(step.theoremApplies() && hasOmega).isEqualTo(flag(row, "applies"));
    if (flag(row, "applies")) {
      assertThat(step.omegaStep()).is(closeTo(row.number("omega_out")));
    }
  }

  @ParameterizedTest
  @MethodSource("truncated")
  void tcdp_givesNoGreaterEpsilonThanTheRuleThatApplies(Row row) {
    RenyiCurve curve = TruncatedConcentratedDp.of(row.number("rho"), row.number("omega")).curve();
    assertThat(RenyiDp.of(curve).epsilon(row.delta()).value())
        .isLessThanOrEqualTo(row.number("eps") * (1 + TOLERANCE));
  }

  @ParameterizedTest
  @MethodSource("advanced")
  void composition_isBasicOrAdvanced(Row row) {
    Epsilon epsilon = row.epsilon();
    Delta delta = row.delta();
    long count = row.whole("k");
    List<Release> releases = List.of(new Release(epsilon, delta, count));
    SimpleComposition advanced =
        SimpleComposition.advanced(releases, Delta.of(row.number("delta_prime")));
    // The table's is the older form, by Dwork, Rothblum and Vadhan.
    assertThat(advanced.epsilon().value()).isLessThanOrEqualTo(row.number("eps_total"));
    assertThat(advanced.delta().value()).is(justAbove(row.number("delta_total")));
    assertThat(SimpleComposition.basic(releases).epsilon().value())
        .is(justAbove(row.number("basic_eps")));
    if (row.has("optimal_pure_eps_at_delta_prime")) {
      double optimal = row.number("optimal_pure_eps_at_delta_prime");
      Mechanism worst =
          delta.value() == 0
              ? new PureDp(epsilon, count)
              : new ApproximateDp(epsilon, delta, count);
      // The exact composition at a smaller δ costs no less than at the whole.
      assertThat(
              PldAccountant.of(List.of(worst), Adjacency.ADD_REMOVE)
                  .interval(advanced.delta())
                  .lower())
          .isLessThanOrEqualTo(optimal * (1 + 1e-9));
      assertThat(advanced.epsilon().value()).isGreaterThanOrEqualTo(optimal * (1 - 1e-9));
    }
  }

  @ParameterizedTest
  @MethodSource("concentrated")
  void zcdp_givesItsEpsilonAndNoGreaterThanTheStandardOne(Row row) {
    ZeroConcentratedDp dp = ZeroConcentratedDp.of(row.number("rho"));
    Delta delta = row.delta();
    assertThat(dp.epsilon(delta).value())
        .is(justAbove(row.number("eps_tight")))
        .isLessThanOrEqualTo(row.number("eps_standard"))
        .isLessThanOrEqualTo(row.number("dp_accounting_default_orders"));
    Mu mu = Mu.of(Math.sqrt(2 * dp.rho()));
    double gaussian = GaussianDp.of(mu).epsilon(delta).value();
    assertThat(gaussian)
        .isCloseTo(row.number("eps_gaussian_exact"), withinPercentage(GAUSSIAN_PERCENT));
    assertThat(dp.epsilon(delta).value()).isGreaterThanOrEqualTo(gaussian);
  }
}
