package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.testing.SharedFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Every reference table through {@code mutune account batch}, as a reader from outside would check
 * it: answers under the tables' own keys, at the tolerances of ../shared/notes/oracle.md.
 */
class AccountOracleTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Relative, of what has a closed form. */
  private static final double CLOSED_FORM = 1e-10;

  /** Absolute, of an ε near 0. */
  private static final double NEAR_ZERO = 1e-14;

  /** Relative, of formulas in concentrated privacy and of Rényi divergences. */
  private static final double CONCENTRATED = 1e-12;

  private static final double RENYI = 1e-9;

  /** A row of a table and the answer to it. */
  private record Answered(String file, int index, JsonNode row, JsonNode answer) {
    double expected(String key) {
      return number(row.get(key));
    }

    double found(String key) {
      assertThat(answer.has(key)).as("%s has %s", answer, key).isTrue();
      return number(answer.get(key));
    }

    String kind() {
      return row.path("kind").asString(file);
    }
  }

  private static double number(JsonNode node) {
    String text = node.asString();
    return text.equals("inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
  }

  private static List<Answered> answers(String file) {
    String path = SharedFolder.file("oracle/" + file).toString();
    CommandRun run = CommandRun.of("account", "batch", path).succeeded();
    JsonNode answers = MAPPER.readTree(run.out());
    JsonNode rows = MAPPER.readTree(SharedFolder.file("oracle/" + file).toFile()).get("rows");
    assertThat(answers.size()).as("one answer to each row").isEqualTo(rows.size());
    List<Answered> answered = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      answered.add(new Answered(file, i, rows.get(i), answers.get(i)));
    }
    return answered;
  }

  private static Stream<DynamicTest> each(String file) {
    return answers(file).stream()
        .map(a -> DynamicTest.dynamicTest(a.index() + " " + a.kind(), () -> check(a)));
  }

  @TestFactory
  Stream<DynamicTest> gdp() {
    return each("gdp.json");
  }

  @TestFactory
  Stream<DynamicTest> composition() {
    return each("composition.json");
  }

  @TestFactory
  Stream<DynamicTest> noise() {
    return each("noise.json");
  }

  @TestFactory
  Stream<DynamicTest> dpSgd() {
    return each("dpsgd.json");
  }

  @TestFactory
  Stream<DynamicTest> heterogeneous() {
    return each("heterogeneous.json");
  }

  @TestFactory
  Stream<DynamicTest> privateSelection() {
    return each("private_selection.json");
  }

  @TestFactory
  Stream<DynamicTest> concentrated() {
    return each("tcdp.json");
  }

  private static void check(Answered a) {
    assertThat(a.answer().has("error")).as("%s", a.answer()).isFalse();
    assertThat(a.answer().has("accountant")).isTrue();
    switch (a.kind()) {
      case "mu_delta_to_eps", "eps_list_to_total", "sigma_T_delta_to_eps" -> closedFormCosts(a);
      case "eps_delta_to_mu" -> keysAgree(a, CLOSED_FORM, "mu");
      case "mu_eps_to_delta" -> keysAgree(a, CLOSED_FORM, "ln_delta");
      case "remaining" -> keysAgree(a, CLOSED_FORM, "mu_f", "eps_f");
      case "eps_delta_T_to_sigma" -> keysAgree(a, CLOSED_FORM, "sigma", "mu");
      case "sigma_eps_delta_to_Tmax" -> largestSteps(a);
      case "epsilon" -> dpSgdEpsilon(a);
      case "replace_one" -> replaceOne(a);
      case "calibrate" -> calibratedNoise(a);
      case "heterogeneous.json" -> mixture(a);
      case "private_selection.json" -> selection(a);
      case "ppsgd_eq3" -> keysAgree(a, CONCENTRATED, "rho_total", "omega_total");
      case "ppsgd_eq4" -> ppsgdStep(a);
      case "tcdp_theorem4" -> sampledTcdp(a);
      case "tcdp_to_eps" -> {
        keysAgree(a, CONCENTRATED, "eps");
        flagsAgree(a, "theorem2_applies");
      }
      case "advanced_composition" -> {
        keysAgree(a, CONCENTRATED, "eps_total", "delta_total", "basic_eps");
        flagsAgree(a, "basic_better");
        // The exact composition at a smaller δ costs no less than at the whole.
        if (a.row().hasNonNull("optimal_pure_eps_at_delta_prime")) {
          assertThat(a.found("lower"))
              .isLessThanOrEqualTo(a.expected("optimal_pure_eps_at_delta_prime") * (1 + 1e-9));
        }
      }
      case "zcdp_to_eps" -> {
        keysAgree(a, CONCENTRATED, "eps_standard", "eps_tight");
        keysAgree(a, CLOSED_FORM, "eps_gaussian_exact");
      }
      default -> throw new AssertionError("no check for the kind " + a.kind());
    }
  }

  private static void keysAgree(Answered a, double relative, String... keys) {
    for (String key : keys) {
      if (a.row().get(key).isNull()) {
        assertThat(a.answer().get(key).isNull()).as(key).isTrue();
      } else {
        agrees(a.found(key), a.expected(key), relative);
      }
    }
  }

  private static void agrees(double found, double expected, double relative) {
    assertThat(found)
        .isCloseTo(expected, within(Math.max(Math.abs(expected) * relative, NEAR_ZERO)));
  }

  private static void flagsAgree(Answered a, String... keys) {
    for (String key : keys) {
      assertThat(a.answer().get(key).asBoolean()).as(key).isEqualTo(a.row().get(key).asBoolean());
    }
  }

  /** The guarantee is never below the table's value, and the lower end never above it. */
  private static void closedFormCosts(Answered a) {
    String key = a.kind().equals("eps_list_to_total") ? "eps_total" : "eps";
    keysAgree(a, CLOSED_FORM, key);
    encloses(a, a.expected(key));
    Stream.of("mu", "rho", "mu_total", "basic_composition")
        .filter(k -> !k.equals("mu") || !a.kind().equals("mu_delta_to_eps"))
        .filter(a.row()::hasNonNull)
        .forEach(k -> agrees(a.found(k), a.expected(k), CLOSED_FORM));
  }

  private static void encloses(Answered a, double truth) {
    // A table's number is rounded at its 17th digit, a double's half unit in the last place.
    assertThat(a.found("upper")).isGreaterThanOrEqualTo(truth * (1 - 0x1p-53));
    assertThat(a.found("lower")).isLessThanOrEqualTo(truth * (1 + 0x1p-53));
    assertThat(a.found("guarantee")).isEqualTo(a.found("upper"));
  }

  private static void largestSteps(Answered a) {
    assertThat(a.answer().get("Tmax").asLong()).isEqualTo(a.row().get("Tmax").asLong());
    assertThat(a.answer().get("upper").asLong()).isEqualTo(a.row().get("Tmax").asLong());
    keysAgree(a, CLOSED_FORM, "T_real", "eps_at_Tmax");
  }

  private static void dpSgdEpsilon(Answered a) {
    double eps = a.found("eps");
    assertThat(eps).isLessThanOrEqualTo(a.expected("rdp"));
    if (a.row().hasNonNull("exact")) {
      double exact = a.expected("exact");
      encloses(a, exact);
      assertThat(eps).isCloseTo(exact, within(Math.max(1e-4 * exact, 1e-6)));
    }
    if (a.row().hasNonNull("best")) {
      double best = a.expected("best");
      double tolerance = Math.max(Math.max(2e-4 * best, 2 * a.expected("best_unc")), 1e-6);
      double low = number(a.row().get("bracket").get(0));
      double high = number(a.row().get("bracket").get(1));
      // The bracket's upper end is another tool's bound on another grid, and as uncertain as best.
      assertThat(eps).isBetween(low, high + tolerance);
      assertThat(a.found("lower")).isLessThanOrEqualTo(high);
      if (!isLoose(a)) {
        assertThat(eps).isCloseTo(best, within(tolerance));
      }
    }
    if (a.row().hasNonNull("lower")) {
      assertThat(eps).isGreaterThanOrEqualTo(a.expected("lower"));
    }
  }

  /** Where the other tools' common figure is 0.2% above ours: see the accountant's own test. */
  private static boolean isLoose(Answered a) {
    return a.expected("sigma") == 4 && a.expected("q") == 1e-4 && a.expected("T") == 10_000;
  }

  private static void replaceOne(Answered a) {
    double upper = a.expected("upper");
    assertThat(a.found("eps")).isCloseTo(upper, within(Math.max(2e-4 * upper, 1e-6)));
    assertThat(a.found("eps")).isGreaterThanOrEqualTo(a.expected("lower"));
    assertThat(a.found("lower")).isLessThanOrEqualTo(upper);
    assertThat(a.answer().get("adjacency").asString()).isEqualTo("replace-one");
  }

  private static void calibratedNoise(Answered a) {
    double upper = a.expected("sigma_upper");
    assertThat(a.found("sigma")).isCloseTo(upper, within(1e-4 * upper));
    assertThat(a.found("sigma")).isGreaterThanOrEqualTo(a.expected("sigma_lower"));
    assertThat(a.found("lower")).isLessThanOrEqualTo(a.found("sigma"));
    assertThat(a.found("costs")).isLessThanOrEqualTo(a.expected("eps"));
  }

  private static void mixture(Answered a) {
    SoftAssertions all = new SoftAssertions();
    IntStream.range(0, a.row().get("deltas").size())
        .forEach(
            i -> {
              double eps = number(a.answer().get("eps").get(i));
              double lower = number(a.answer().get("lower").get(i));
              double upper = number(a.row().get("upper").get(i));
              if (Double.isInfinite(upper)) {
                all.assertThat(eps).isInfinite();
                return;
              }
              all.assertThat(eps).isCloseTo(upper, within(3e-4 * upper));
              // Another tool's lower bound, to the 1e-9 of round-off that its notes allow.
              all.assertThat(eps)
                  .isGreaterThanOrEqualTo(number(a.row().get("lower").get(i)) * (1 - 1e-9));
              all.assertThat(lower).isLessThanOrEqualTo(upper);
              if (a.row().hasNonNull("exact")) {
                double exact = number(a.row().get("exact").get(i));
                all.assertThat(eps).isCloseTo(exact, within(1e-6 * exact));
                // Exact to the 15 digits that are given.
                all.assertThat(eps).isGreaterThanOrEqualTo(exact * (1 - 1e-14));
                all.assertThat(lower).isLessThanOrEqualTo(exact * (1 + 1e-14));
              }
            });
    all.assertAll();
  }

  private static void selection(Answered a) {
    for (String delta : List.of("1e-5", "1e-6")) {
      double eps = a.found("eps_continuous_" + delta);
      assertThat(eps).isLessThanOrEqualTo(a.expected("eps_default_" + delta));
      if (a.row().hasNonNull("eps_continuous_" + delta)) {
        double infimum = a.expected("eps_continuous_" + delta);
        assertThat(eps).isBetween(infimum * (1 - 1e-14), infimum * (1 + RENYI));
      }
    }
    boolean sampled = a.row().get("base").has("q");
    for (Map.Entry<String, JsonNode> e : a.row().get("base_rdp_at_orders").properties()) {
      double found = number(a.answer().get("base_rdp_at_orders").get(e.getKey()));
      double order = Double.parseDouble(e.getKey());
      double expected = e.getValue().asDouble();
      assertThat(found).isLessThanOrEqualTo(expected * (1 + RENYI));
      // The table's library errs upward at fractional orders of a sampled Gaussian.
      if (!sampled || order == Math.rint(order)) {
        agrees(found, expected, RENYI);
      }
    }
    for (Map.Entry<String, JsonNode> e : a.row().get("rdp_at_orders_default_grid").properties()) {
      double expected = e.getValue().asDouble();
      double continuous = number(a.answer().get("rdp_at_orders").get(e.getKey()));
      double onGrid = number(a.answer().get("rdp_at_orders_default_grid").get(e.getKey()));
      assertThat(continuous).isLessThanOrEqualTo(onGrid * (1 + RENYI));
      assertThat(onGrid).isLessThanOrEqualTo(expected * (1 + RENYI));
      if (!sampled) {
        agrees(onGrid, expected, RENYI);
      }
    }
  }

  private static void ppsgdStep(Answered a) {
    keysAgree(a, CONCENTRATED, "rho_s", "omega_s", "omega_out", "omega_total", "noise_var_over_C2");
    if (!a.row().get("equality").asBoolean()) {
      flagsAgree(a, "cond_s", "cond_rho", "cond_log", "thm4_applies");
    }
    flagsAgree(a, "cond_omega_out_ge_total");
  }

  private static void sampledTcdp(Answered a) {
    flagsAgree(a, "applies");
    keysAgree(a, CONCENTRATED, "rho_out", "omega_out", "omega_needed");
  }

  @Test
  void anAnswer_doesNotDependOnTheTablesOwnAnswers() {
    String rows =
        """
        [{"kind": "epsilon", "sigma": 1, "q": 1, "T": 1, "delta": 1e-05},
         {"kind": "epsilon", "sigma": "1", "q": 1, "T": 1, "delta": "1e-5", "upper": 9, "eps": 9}]
        """;
    JsonNode answers = MAPPER.readTree(BatchInput.of(rows).succeeded().out());
    assertThat(answers.get(0)).isEqualTo(answers.get(1));
    // Φ's own figure: oracle/noise.json has 4.3771780956812246 for this row.
    assertThat(answers.get(0).get("eps").asDouble()).isCloseTo(4.377178095681225, within(1e-10));
  }
}
