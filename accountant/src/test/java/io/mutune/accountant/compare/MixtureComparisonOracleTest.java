package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every row of oracle/heterogeneous.json, asked of all accountants at once. */
class MixtureComparisonOracleTest {
  static Stream<JsonNode> rows() {
    return OracleTable.read("heterogeneous.json").all().map(Row::json);
  }

  private static Mechanism mechanism(JsonNode c) {
    double first = c.get(1).asDouble();
    double second = c.get(2).asDouble();
    long count = c.get(c.size() - 1).asLong();
    return switch (c.get(0).asString()) {
      case "gauss" -> new Gaussian(NoiseMultiplier.of(1), first, count);
      case "ssg" -> new SubsampledGaussian(NoiseMultiplier.of(first), second, 1, count);
      case "laplace" -> new Laplace(1, first, count);
      case "sslaplace" -> new SubsampledLaplace(1, second, first, count);
      case "pure" -> new PureDp(Epsilon.of(first), count);
      case "approx" -> new ApproximateDp(Epsilon.of(first), Delta.of(second), count);
      default -> throw new IllegalArgumentException("no component is called " + c.get(0));
    };
  }

  @ParameterizedTest
  @MethodSource("rows")
  void noAccountant_isBelowTheTruthAndTheGuaranteeIsNearIt(JsonNode row) {
    List<Mechanism> mechanisms =
        row.get("components").values().stream()
            .map(MixtureComparisonOracleTest::mechanism)
            .toList();
    Releases releases = new Releases(mechanisms, Adjacency.ADD_REMOVE);
    for (int i = 0; i < row.get("deltas").size(); i++) {
      Query query = new EpsilonAt(Delta.of(row.get("deltas").get(i).asDouble()));
      AccountantComparison comparison = AccountantComparison.of(releases, query);
      if (row.get("upper").get(i).asString().equals("inf")) {
        assertThat(comparison.guarantee().isFinite()).isFalse();
        continue;
      }
      double lower = row.get("lower").get(i).asDouble();
      double upper = row.get("upper").get(i).asDouble();
      for (Answer answer : comparison.answers().values()) {
        if (answer instanceof Bound bound) {
          assertThat(bound.upper()).isGreaterThanOrEqualTo(lower * (1 - 1e-9));
          assertThat(bound.lower()).isLessThanOrEqualTo(upper * (1 + 1e-9));
        }
      }
      Bound guarantee = comparison.guarantee();
      // The notes' tolerance for mixtures.
      assertThat(guarantee.upper()).isCloseTo(upper, within(3e-4 * upper));
      assertThat(guarantee.lower()).isLessThanOrEqualTo(upper);
      if (row.hasNonNull("exact")) {
        double exact = row.get("exact").get(i).asDouble();
        assertThat(guarantee.upper()).isCloseTo(exact, within(1e-6 * exact));
        // Exact to the 15 digits that are given.
        assertThat(guarantee.upper()).isGreaterThanOrEqualTo(exact * (1 - 1e-14));
        assertThat(guarantee.lower()).isLessThanOrEqualTo(exact * (1 + 1e-14));
      }
    }
  }
}
