package io.mutune.orchestrator.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Queries at the ends of their ranges: an answer, or an error in its place. */
class BatchTest {
  private static ObjectNode answer(String query) {
    return Batch.answer(ExactJson.read(query));
  }

  /**
   * 0.3 is not a double: a loss is taken as the double above it, noise and a δ as the one below.
   */
  @Test
  void numbers_areTakenTowardMoreCost() {
    double below = 0.3;
    double above = Math.nextUp(0.3);
    assertThat(new BigDecimal(below)).isLessThan(new BigDecimal("0.3"));
    String tcdp =
        "{\"mechanism\": \"truncated-concentrated\", \"parameters\": {\"rho\": %s, \"omega\": %s},"
            + " \"delta\": 1e-5}";
    assertThat(answer(tcdp.formatted("0.3", "1.5")))
        .isEqualTo(answer(tcdp.formatted(new BigDecimal(above), "1.5")));
    // The double next to 1.1 is above it.
    assertThat(answer(tcdp.formatted("0.25", "1.1")))
        .isEqualTo(answer(tcdp.formatted("0.25", new BigDecimal(Math.nextDown(1.1)))));
    String gaussian =
        "{\"mechanism\": \"gaussian\", \"parameters\": {\"sigma\": %s}, \"delta\": %s}";
    assertThat(answer(gaussian.formatted("0.3", "0.3")))
        .isEqualTo(answer(gaussian.formatted(new BigDecimal(below), new BigDecimal(below))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1.5", "-0.1", "\"inf\"", "NaN"})
  void aDeltaThatIsNoneBelowOne_isAnError(String delta) {
    for (String query :
        List.of(
            "{\"mechanism\": \"pure-dp\", \"parameters\": {\"epsilon\": 0.1}, \"delta\": %s}",
            "{\"mechanism\": \"approximate-dp\", \"parameters\": {\"epsilon\": 0.1, \"delta\": %s},"
                + " \"delta\": 1e-5}",
            "{\"question\": \"sigma\", \"steps\": 1, \"epsilon\": 1, \"delta\": %s}")) {
      ObjectNode answer = answer(query.formatted(delta));
      assertThat(answer.propertyNames()).containsExactly("error");
      assertThat(answer.get("error").asString()).contains("delta").contains("was ");
    }
  }

  /** Each would be left out, and the answer too small. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'mechanisms': [{M}], 'count': 100 | count and parameters belong to a mechanism",
        "{'mechanisms': [{M}], 'parameters': {'sigma': 1} | count and parameters belong to a",
        "{'mechanisms': [{M, 'sensitivity': 3}] | unknown key 'sensitivity' of a mechanism",
        "{'mechanisms': [{M, 'steps': 100}] | unknown key 'steps' of a mechanism",
        "{'mechanisms': [{M, 'adjacency': 'replace-one'}] | another adjacency than what is asked",
      })
  void whatChangesACost_isNotLeftOut(String question, String problem) {
    String json =
        (question + ", 'delta': '1e-5'}")
            .replace("M", "'mechanism': 'gaussian', 'parameters': {'sigma': 2}")
            .replace('\'', '"');
    assertThat(answer(json).path("error").asString("")).contains(problem);
  }

  /** A mechanism's δ is a loss, so that it is taken as the double above, which is 1. */
  @Test
  void aMechanismsDelta_thatIsOneAsADouble_isAnError() {
    assertThat(
            answer(
                    "{\"mechanism\": \"approximate-dp\", \"parameters\": {\"epsilon\": 0.1,"
                        + " \"delta\": 0.99999999999999999999}, \"delta\": 1e-5}")
                .propertyNames())
        .containsExactly("error");
  }

  /** Of δ = 1e-5, which is no double, neither direction of rounding is that of the other one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'mechanism': 'approximate-dp', 'parameters': {'epsilon': 1, 'delta': 0.00001}} | 1",
        "{'mechanism': 'approximate-dp', 'parameters': {'epsilon': 1, 'delta': 1e-5}, 'count': 2}"
            + " | Infinity",
        "{'mechanism': 'approximate-dp', 'parameters': {'epsilon': 1, 'delta': 1e-5}},"
            + "{'mechanism': 'approximate-dp', 'parameters': {'epsilon': 1, 'delta': 1e-300}}"
            + " | Infinity",
        "{'mechanism': 'approximate-dp',"
            + " 'parameters': {'epsilon': 1, 'delta': 1.0000000000000000001e-5}} | Infinity",
      })
  void aReleaseAtItsOwnDelta_leavesNothingForOthers(String mechanisms, double epsilon) {
    ObjectNode answer =
        answer("{\"mechanisms\": [" + mechanisms.replace('\'', '"') + "], \"delta\": 1e-5}");
    assertThat(Json.number(answer.get("epsilon")).orElse(Double.POSITIVE_INFINITY))
        .isBetween(epsilon, epsilon * (1 + 1e-12));
  }

  /** No query ends the batch: the last one is answered. */
  @Test
  void afterQueriesThatCannotBeAnswered_theBatchGoesOn() {
    String hostile =
        """
        [{"mechanism": "gaussian", "parameters": {"sigma": 1e-200}, "delta": 1e-5},
         {"mechanism": "gaussian", "parameters": {"sigma": 1e300}, "epsilon": 1e300},
         {"mechanism": "gaussian", "parameters": {"sigma": 1e-300}, "count": 9000000000000000000,
          "delta": 1e-5},
         {"question": "sigma", "epsilon": 1e-300, "delta": 1e-300, "steps": 9000000000000000000},
         {"question": "steps", "sigma": 1e300, "epsilon": 1, "delta": 1e-5},
         {"question": "final", "epsilon": 1e308, "delta": 1e-320},
         {"question": "final", "epsilon": 1e-300, "delta": 1e-5,
          "mechanisms": [{"mechanism": "pure-dp", "parameters": {"epsilon": 1e308}}]},
         {"mechanism": "zero-concentrated", "parameters": {"rho": 1e308}, "delta": 1e-300},
         {"mechanism": "truncated-concentrated", "parameters": {"rho": 1e308, "omega": 1e308},
          "delta": 1e-300},
         {"mechanism": "pure-dp", "parameters": {"epsilon": 1e308}, "count": 2, "delta": 0},
         {"mechanism": "laplace", "parameters": {"scale": 1e-320}, "delta": 1e-320},
         {"mechanism": "repeat-and-select:poisson:gaussian",
          "parameters": {"mean": 1e300, "run.sigma": 1e-300}, "delta": 1e-5},
         {"mechanism": "repeat-and-select:truncated-negative-binomial:gaussian",
          "parameters": {"shape": -1, "gamma": 0.1, "run.sigma": 1}, "delta": 1e-5},
         {"question": "nothing"}, {"mechanism": []}, {"mechanisms": {}}, {"components": 1},
         {"mechanisms": [], "delta": 1e-5}, {"mechanisms": [[]], "delta": 1e-5},
         [], null, "text", 7, {"question": {}}, {"kind": "mu_delta_to_eps", "mu": 1, "delta": 1e-5},
         {},
         {"mechanism": "gaussian", "parameters": {"sigma": 1}, "delta": 1e-5}]
        """;
    int answers = 0;
    ObjectNode last = ExactJson.object();
    for (Iterator<ObjectNode> all = Batch.read(hostile).answers(); all.hasNext(); answers++) {
      last = all.next();
      String line = ExactJson.line(last);
      assertThat(line).doesNotContain("NaN");
      assertThat(last.has("error") ? last.size() == 1 : last.has("guarantee")).as(line).isTrue();
      if (last.has("error")) {
        assertThat(last.get("error").asString()).isNotBlank().isNotEqualTo("null");
      }
    }
    assertThat(answers).isEqualTo(27);
    // What oracle/noise.json has for μ = 1.
    assertThat(last.get("epsilon").asDouble()).isBetween(4.377178095681224, 4.37717809568131);
  }
}
