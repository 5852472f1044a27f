package io.mutune.orchestrator.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Queries at the ends of their ranges: an answer, or an error in its place. */
class BatchTest {
  private static ObjectNode answer(String query) {
    return Batch.answer(Numbers.read(query));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "'1e300', 10, 1000000000, 'rho_s = rho_t/(13(s/m)^2)'",
        "'3.9e-317', 1, 100000, 'omega_s = ln(m/s)/(2 rho_s)'",
        "'1e-311', 10, 1000, 'rho_s = rho_t/(13(s/m)^2)'",
        "'1e308', 1, 9000000000000000000, 'rho_s = rho_t/(13(s/m)^2)'",
      })
  void aStepBeyondDoubles_isAnErrorThatNamesRuleAndValue(
      String rho, long batch, long rows, String rule) {
    ObjectNode answer =
        answer(
            "{\"kind\": \"ppsgd_eq4\", \"rho_t\": %s, \"s\": %d, \"m\": %d}"
                .formatted(rho, batch, rows));
    assertThat(answer.propertyNames()).containsExactly("error");
    assertThat(answer.get("error").asString())
        .startsWith(rule + " must be a normal double; was ")
        .contains("s = " + batch + ", m = " + rows);
  }

  /**
   * 0.3 is not a double: what is spent is taken as the one below, what is lost as the one above.
   */
  @Test
  void concentratedNumbers_areTakenTowardMorePrivacy() {
    double below = 0.3;
    double above = Math.nextUp(0.3);
    assertThat(new BigDecimal(below)).isLessThan(new BigDecimal("0.3"));
    String step = "{\"kind\": \"ppsgd_eq4\", \"rho_t\": %s, \"s\": 10, \"m\": 1000}";
    assertThat(answer(step.formatted("0.3")).get("rho_s"))
        .isEqualTo(answer(step.formatted(new BigDecimal(below))).get("rho_s"));
    String tcdp = "{\"kind\": \"tcdp_to_eps\", \"rho\": %s, \"omega\": %s, \"delta\": 1e-5}";
    assertThat(answer(tcdp.formatted("0.3", "1.5")).get("eps"))
        .isEqualTo(answer(tcdp.formatted(new BigDecimal(above), "1.5")).get("eps"));
    // The double next to 1.1 is above it.
    assertThat(answer(tcdp.formatted("0.25", "1.1")).get("eps"))
        .isEqualTo(answer(tcdp.formatted("0.25", new BigDecimal(Math.nextDown(1.1)))).get("eps"));
    String sampled = "{\"kind\": \"tcdp_theorem4\", \"rho\": 0.001, \"omega\": 1e9, \"s\": %s}";
    double rate = 0.003;
    boolean isBelow = new BigDecimal(rate).compareTo(new BigDecimal("0.003")) < 0;
    assertThat(answer(sampled.formatted("0.003")).get("rho_out"))
        .isEqualTo(
            answer(sampled.formatted(new BigDecimal(isBelow ? Math.nextUp(rate) : rate)))
                .get("rho_out"));
  }

  @Test
  void failuresThatAddUpToCertainty_leaveEveryEpsilonPossible() {
    ObjectNode answer =
        answer(
            "{\"kind\": \"advanced_composition\", \"eps\": 0.1, \"delta\": 0.3, \"k\": 10,"
                + " \"delta_prime\": 1e-5}");
    assertThat(answer.get("delta_total").asDouble()).isEqualTo(1);
    assertThat(answer.get("lower").asDouble()).isZero();
    assertThat(answer.get("upper").asDouble()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0.99999999999999999999", "1.5", "-0.1", "\"inf\"", "NaN"})
  void aDeltaThatIsNoneBelowOne_isAnError(String delta) {
    ObjectNode answer =
        answer(
            ("{\"kind\": \"advanced_composition\", \"eps\": 0.1, \"delta\": %s, \"k\": 10,"
                    + " \"delta_prime\": 1e-5}")
                .formatted(delta));
    assertThat(answer.propertyNames()).containsExactly("error");
    assertThat(answer.get("error").asString()).contains("delta").contains("was ");
  }

  /** Theorem 6 is false below a mean of 1, where it promised nothing at all near order 1. */
  @Test
  void aMeanBelowOneRun_costsSomethingAtEveryOrder() {
    ObjectNode answer =
        answer(
            "{\"kind\": \"private_selection\", \"base\": {\"type\": \"gaussian\", \"sigma\": 5},"
                + " \"T\": 1, \"shape\": \"inf\", \"mean\": 0.5, \"orders\": [\"1.05\", \"1.5\", \"4\"]}");
    for (String order : new String[] {"1.05", "1.5", "4"}) {
      double onGrid = answer.get("rdp_at_orders_default_grid").get(order).asDouble();
      double continuous = answer.get("rdp_at_orders").get(order).asDouble();
      assertThat(continuous).isPositive().isLessThanOrEqualTo(onGrid * (1 + 1e-9));
      assertThat(onGrid).isLessThan(0.02 * Double.parseDouble(order) + 0.5);
    }
  }

  /** Nothing of these may end the batch; the last one is answered. */
  @Test
  void whateverIsAsked_theBatchGoesOn() {
    String hostile =
        """
        [{"kind": "mu_delta_to_eps", "mu": 1e200, "delta": 1e-5},
         {"kind": "mu_eps_to_delta", "mu": 1e-320, "eps": 1e300},
         {"kind": "eps_delta_to_mu", "eps": 1e308, "delta": 1e-320},
         {"kind": "eps_delta_T_to_sigma", "eps": 1e-300, "delta": 1e-300, "T": 9000000000000000000},
         {"kind": "sigma_eps_delta_to_Tmax", "sigma": 1e300, "eps": 1, "delta": 1e-5},
         {"kind": "sigma_T_delta_to_eps", "sigma": 1e-300, "T": 9000000000000000000, "delta": 1e-5},
         {"kind": "remaining", "eps_total": 1e-300, "delta": 1e-5, "parts": [[1, 1e308]]},
         {"kind": "eps_list_to_total", "delta": 0, "parts": [[1, 1]]},
         {"kind": "eps_list_to_total", "delta": 1e-5, "parts": [[9e18, 1e308]]},
         {"kind": "zcdp_to_eps", "rho": 1e308, "delta": 1e-300},
         {"kind": "tcdp_to_eps", "rho": 1e308, "omega": 1e308, "delta": 1e-300},
         {"kind": "tcdp_theorem4", "rho": 1e-323, "omega": 2, "s": 1e-300},
         {"kind": "advanced_composition", "eps": 1e308, "delta": 0, "k": 2, "delta_prime": 1e-5},
         {"kind": "ppsgd_eq3", "eps": 1e-320, "delta": 1e-320},
         {"kind": "private_selection", "base": 3, "T": 1, "shape": 1, "mean": 2},
         {"kind": "private_selection", "base": {"type": "gaussian", "sigma": 1e-300}, "T": 1,
          "shape": -1, "mean": 1e300},
         {"question": "nothing"}, {"mechanism": []}, {"mechanisms": {}}, {"components": 1},
         [], null, "text", 7, {"kind": {}}, {"kind": "mixture"},
         {"kind": "mu_delta_to_eps", "mu": 1, "delta": 1e-5}]
        """;
    int answers = 0;
    ObjectNode last = Numbers.object();
    for (Iterator<ObjectNode> all = Batch.read(hostile).answers(); all.hasNext(); answers++) {
      last = all.next();
      String line = Numbers.line(last);
      assertThat(line).doesNotContain("NaN");
      assertThat(last.has("error") ? last.size() == 1 : last.has("guarantee")).as(line).isTrue();
      if (last.has("error")) {
        assertThat(last.get("error").asString()).isNotBlank().isNotEqualTo("null");
      }
    }
    assertThat(answers).isEqualTo(27);
    // What oracle/noise.json has for μ = 1.
    assertThat(last.get("eps").asDouble()).isBetween(4.377178095681224, 4.37717809568131);
  }

  @Test
  void aSingleRun_costsItsEpsilonAndNotABitMore() {
    ObjectNode one =
        answer("{\"kind\": \"eps_list_to_total\", \"delta\": 1e-5, \"parts\": [[1, 1]]}");
    assertThat(one.get("eps_total").asDouble()).isEqualTo(1);
    assertThat(one.get("lower").asDouble()).isBetween(1 - 1e-10, 1.0);
    ObjectNode two =
        answer("{\"kind\": \"eps_list_to_total\", \"delta\": 1e-5, \"parts\": [[2, 1]]}");
    assertThat(two.get("eps_total").asDouble()).isGreaterThan(1.3);
  }
}
