package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.testing.Effort;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every row of oracle/private_selection.json. */
class SelectionOracleTest {
  /** 1e-9, in percent. */
  private static final double PERCENT = 1e-7;

  private static final List<Double> ORDERS = Oracle.defaultOrders();

  static Stream<Row> rows() {
    return OracleTable.read("private_selection.json").all();
  }

  /**
   * The table's library errs upward at fractional orders of a sampled Gaussian: at order 1.5 it has
   * more than at order 2, by up to three quarters. At whole orders it is right.
   */
  private static void isTheTables(double actual, double expected, boolean exact, double order) {
    assertThat(actual).as("order %s", order).isLessThanOrEqualTo(expected * (1 + 1e-9));
    if (exact) {
      assertThat(actual).as("order %s", order).isCloseTo(expected, withinPercentage(PERCENT));
    }
  }

  private static boolean isSampled(Row row) {
    return row.json().get("base").has("q");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void oneRun_hasTheTablesDivergences(Row row) {
    RenyiCurve run = Oracle.cost(Oracle.run(row)).curve();
    for (Map.Entry<String, JsonNode> e : row.json().get("base_rdp_at_orders").properties()) {
      double order = Double.parseDouble(e.getKey());
      boolean whole = order == Math.rint(order);
      isTheTables(run.at(order), e.getValue().asDouble(), whole || !isSampled(row), order);
    }
  }

  /** With the auxiliary order from the same few orders as the table's, and from all. */
  @ParameterizedTest
  @MethodSource("rows")
  void theSelection_hasTheTablesDivergences(Row row) {
    RenyiCurve run = Oracle.cost(Oracle.run(row)).curve();
    RenyiCurve continuous = Oracle.cost(Oracle.selection(row)).curve();
    for (Map.Entry<String, JsonNode> e :
        row.json().get("rdp_at_orders_default_grid").properties()) {
      double order = Double.parseDouble(e.getKey());
      double expected = e.getValue().asDouble();
      double actual = row.has("gamma") ? binomial(row, run, order) : poisson(row, run, order);
      isTheTables(actual, expected, !isSampled(row), order);
      assertThat(actual).isCloseTo(expected, withinPercentage(2));
      isTheTables(continuous.at(order), expected, false, order);
      assertThat(continuous.at(order)).isLessThanOrEqualTo(actual * (1 + 1e-9));
    }
  }

  private static double binomial(Row row, RenyiCurve run, double order) {
    TruncatedNegativeBinomial law =
        new TruncatedNegativeBinomial(row.number("shape"), row.number("gamma"));
    double logMean = SelectionCurves.logMean(law);
    double auxiliary =
        ORDERS.stream()
            .mapToDouble(a -> SelectionCurves.auxiliary(run.at(a), law, a))
            .min()
            .orElseThrow();
    return ORDERS.stream()
        .filter(a -> a >= order)
        .mapToDouble(a -> SelectionCurves.plain(run.at(a), law.shape(), logMean, auxiliary, a))
        .min()
        .orElseThrow();
  }

  private static double poisson(Row row, RenyiCurve run, double order) {
    PoissonTrials law = new PoissonTrials(row.number("mean"));
    return SelectionCurves.poisson(
            run,
            law,
            epsilon ->
                ORDERS.stream()
                    .mapToDouble(
                        a ->
                            Math.min(
                                RenyiDp.distance(run.at(a)),
                                Math.exp(RenyiDp.logDeltaAt(run.at(a), a, epsilon))))
                    .min()
                    .orElseThrow())
        .at(order);
  }

  static Stream<Row> someRows() {
    return Effort.oneIn(3, rows());
  }

  @ParameterizedTest
  @MethodSource("someRows")
  void itsEpsilon_isBetweenContinuousAndDefaultOrders(Row row) {
    RenyiDp dp = Oracle.cost(Oracle.selection(row));
    Releases selection = Releases.of(Adjacency.ADD_REMOVE, Oracle.selection(row));
    for (String delta : List.of("1e-5", "1e-6")) {
      Delta at = Delta.of(Double.parseDouble(delta));
      double epsilon = dp.epsilon(at).value();
      assertThat(epsilon).isLessThanOrEqualTo(row.number("eps_default_" + delta));
      assertThat(epsilon).isLessThanOrEqualTo(row.number("eps_fine_" + delta));
      if (row.has("eps_continuous_" + delta)) {
        double infimum = row.number("eps_continuous_" + delta);
        assertThat(epsilon).isBetween(infimum * (1 - 1e-14), infimum * (1 + 1e-9));
      }
      // All rules together know the whole profile of a run, and so never less than its divergences.
      assertThat(CombinedGuarantee.GUARANTEE.bound(selection, new EpsilonAt(at)).upper())
          .isLessThanOrEqualTo(epsilon * (1 + 1e-12));
    }
  }
}
