package io.mutune.accountant.gdp;

import static io.mutune.accountant.gdp.Tolerance.closeTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
    GaussianDp total = GaussianDp.compose(runs(row));
    assertThat(total.mu().value()).is(closeTo(row.number("mu_total")));
    assertThat(total.epsilon(delta(row)).value()).is(closeTo(row.number("eps_total")));
  }

  @ParameterizedTest
  @MethodSource("remainders")
  void whatIsLeftOfATotal_isTheOracles(Row row) {
    GaussianDp budget = GaussianDp.ofBudget(Epsilon.of(row.number("eps_total")), delta(row));
    GaussianDp spent = GaussianDp.compose(runs(row));
    if (row.has("mu_f")) {
      GaussianDp left = budget.remaining(spent).orElseThrow();
      assertThat(left.mu().value()).is(closeTo(row.number("mu_f")));
      assertThat(left.epsilonAtMost(delta(row)).value()).is(closeTo(row.number("eps_f")));
    } else {
      assertThat(budget.remaining(spent)).isEmpty();
    }
  }

  private static Delta delta(Row row) {
    return Delta.of(row.number("delta"));
  }

  /** The parts are pairs of how many runs there were and the ε of each. */
  private static List<GaussianDp> runs(Row row) {
    return row.json().get("parts").values().stream()
        .flatMap(
            part -> {
              Epsilon epsilon = Epsilon.of(Double.parseDouble(part.get(1).asString()));
              GaussianDp run = GaussianDp.ofBudget(epsilon, delta(row));
              return Collections.nCopies(part.get(0).asInt(), run).stream();
            })
        .toList();
  }
}
