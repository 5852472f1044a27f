package io.mutune.accountant.gdp;

import static io.mutune.accountant.gdp.Tolerance.closeTo;
import static io.mutune.accountant.gdp.Tolerance.encloses;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.renyi.SimpleComposition;
import io.mutune.accountant.renyi.SimpleComposition.Release;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every row of oracle/composition.json, at the tolerances of its notes. */
class CompositionOracleTest {
  private static OracleTable table() {
    return OracleTable.read("composition.json");
  }

  static Stream<Row> totals() {
    return table().rows("eps_list_to_total");
  }

  static Stream<Row> remainders() {
    return table().rows("remaining");
  }

  @Test
  void everyRow_isOfAKindThatIsTestedHere() {
    assertThat(table().kinds()).containsExactlyInAnyOrder("eps_list_to_total", "remaining");
  }

  @ParameterizedTest
  @MethodSource("totals")
  void runsOfGivenEpsilons_composeToTheOraclesTotal(Row row) {
    GaussianDp least = GaussianDp.compose(runs(row));
    GaussianDp most = GaussianDp.compose(runs(row, GaussianDp::ofStated));
    for (GaussianDp total : List.of(least, most)) {
      assertThat(total.mu().value()).is(closeTo(row.number("mu_total")));
      assertThat(total.epsilon(row.delta()).value()).is(closeTo(row.number("eps_total")));
    }
    encloses(
        least.epsilonAtMost(row.delta()).value(),
        most.epsilon(row.delta()).value(),
        row.number("eps_total"));
  }

  @ParameterizedTest
  @MethodSource("totals")
  void basicComposition_isTheOraclesSum(Row row) {
    List<Release> releases =
        row.json().get("parts").values().stream()
            .map(part -> new Release(epsilon(part), row.delta(), part.get(0).asLong()))
            .toList();
    assertThat(SimpleComposition.basic(releases).epsilon().value())
        .is(closeTo(row.number("basic_composition")));
  }

  @ParameterizedTest
  @MethodSource("remainders")
  void whatIsLeftOfATotal_isTheOracles(Row row) {
    GaussianDp budget = GaussianDp.ofBudget(Epsilon.of(row.number("eps_total")), row.delta());
    GaussianDp spent = GaussianDp.compose(runs(row));
    if (row.has("mu_f")) {
      GaussianDp left = budget.remaining(spent).orElseThrow();
      assertThat(left.mu().value()).is(closeTo(row.number("mu_f")));
      assertThat(left.epsilonAtMost(row.delta()).value()).is(closeTo(row.number("eps_f")));
    } else {
      assertThat(budget.remaining(spent)).isEmpty();
    }
  }

  private static List<GaussianDp> runs(Row row) {
    return runs(row, GaussianDp::ofBudget);
  }

  /** The parts are pairs of how many runs there were and the ε of each. */
  private static List<GaussianDp> runs(Row row, BiFunction<Epsilon, Delta, GaussianDp> run) {
    return row.json().get("parts").values().stream()
        .flatMap(
            part ->
                Collections.nCopies(part.get(0).asInt(), run.apply(epsilon(part), row.delta()))
                    .stream())
        .toList();
  }

  private static Epsilon epsilon(JsonNode part) {
    return Epsilon.of(Double.parseDouble(part.get(1).asString()));
  }
}
