package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.pld.EpsilonInterval;
import io.mutune.accountant.pld.PldAccountant;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of oracle/heterogeneous.json, at the tolerances of its notes. */
class MixtureComparisonOracleTest {
  record Question(Row row, int index) {
    double number(String key) {
      return row.number(key, index);
    }

    Delta delta() {
      return Delta.of(number("deltas"));
    }
  }

  static Stream<Question> questions() {
    return OracleTable.read("heterogeneous.json")
        .all()
        .flatMap(
            row ->
                IntStream.range(0, row.json().get("deltas").size())
                    .mapToObj(i -> new Question(row, i)));
  }

  private static void requireTheOracles(Question question, double lower, double upper) {
    double theirs = question.number("upper");
    // Their lower ends are good to 1e-9: for pure mechanisms they are above the exact figures.
    assertThat(upper).isBetween(question.number("lower") * (1 - 1e-9), theirs);
    assertThat(lower).isLessThanOrEqualTo(theirs);
    assertThat(upper).isCloseTo(theirs, within(3e-4 * theirs));
    if (question.row().has("exact")) {
      double exact = question.number("exact");
      assertThat(upper).isCloseTo(exact, within(1e-6 * exact));
      // Exact to the oracle's 15 digits.
      assertThat(upper).isGreaterThanOrEqualTo(exact * (1 - 1e-14));
      assertThat(lower).isLessThanOrEqualTo(exact * (1 + 1e-14));
    }
  }

  @ParameterizedTest
  @MethodSource("questions")
  void byLossDistributions_aMixtureCostsTheOraclesEpsilon(Question question) {
    EpsilonInterval interval =
        PldAccountant.of(question.row().mechanisms(), Adjacency.ADD_REMOVE)
            .interval(question.delta());
    if (Double.isInfinite(question.number("upper"))) {
      assertThat(interval.lower()).isInfinite();
    } else {
      requireTheOracles(question, interval.lower(), interval.upper());
    }
  }

  @ParameterizedTest
  @MethodSource("questions")
  void noAccountant_isBelowTheTruthAndTheGuaranteeIsNearIt(Question question) {
    Releases releases = new Releases(question.row().mechanisms(), Adjacency.ADD_REMOVE);
    AccountantComparison comparison =
        AccountantComparison.of(releases, new EpsilonAt(question.delta()));
    Bound guarantee = comparison.guarantee();
    if (Double.isInfinite(question.number("upper"))) {
      assertThat(guarantee.isFinite()).isFalse();
      return;
    }
    for (Answer answer : comparison.answers().values()) {
      if (answer instanceof Bound bound) {
        assertThat(bound.upper()).isGreaterThanOrEqualTo(question.number("lower") * (1 - 1e-9));
        assertThat(bound.lower()).isLessThanOrEqualTo(question.number("upper") * (1 + 1e-9));
      }
    }
    requireTheOracles(question, guarantee.lower(), guarantee.upper());
  }
}
