package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.testing.SharedFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Every row of oracle/heterogeneous.json, at the tolerances of its notes. */
class HeterogeneousOracleTest {
  record Question(JsonNode row, int index) {
    double number(String key) {
      String text = row.get(key).get(index).asString();
      return text.equals("inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    }
  }

  static Stream<Question> questions() {
    JsonNode table = new ObjectMapper().readTree(SharedFolder.file("oracle/heterogeneous.json"));
    return table.get("rows").values().stream()
        .flatMap(
            row ->
                IntStream.range(0, row.get("deltas").size()).mapToObj(i -> new Question(row, i)));
  }

  @ParameterizedTest
  @MethodSource("questions")
  void aMixture_costsTheOraclesEpsilon(Question question) {
    List<Mechanism> mechanisms = new ArrayList<>();
    for (JsonNode component : question.row().get("components").values()) {
      mechanisms.add(mechanism(component));
    }
    EpsilonInterval interval =
        PldAccountant.of(mechanisms, Adjacency.ADD_REMOVE)
            .interval(Delta.of(question.number("deltas")));
    double upper = question.number("upper");
    if (Double.isInfinite(upper)) {
      assertThat(interval.lower()).isInfinite();
      return;
    }
    // Their lower ends are good to 1e-9: for pure mechanisms they are above the exact figures.
    assertThat(interval.upper()).isBetween(question.number("lower") * (1 - 1e-9), upper);
    assertThat(interval.lower()).isLessThanOrEqualTo(upper);
    assertThat(interval.upper()).isCloseTo(upper, within(3e-4 * upper));
    if (question.row().hasNonNull("exact")) {
      double exact = question.number("exact");
      assertThat(interval.upper()).isCloseTo(exact, within(1e-6 * exact));
      // Exact to the oracle's 15 digits.
      assertThat(interval.upper()).isGreaterThanOrEqualTo(exact * (1 - 1e-14));
      assertThat(interval.lower()).isLessThanOrEqualTo(exact * (1 + 1e-14));
    }
  }

  private static Mechanism mechanism(JsonNode component) {
    double first = component.get(1).asDouble();
    JsonNode last = component.get(component.size() - 1);
    return switch (component.get(0).asString()) {
      case "gauss" -> new Gaussian(NoiseMultiplier.of(1), first, last.asLong());
      case "ssg" ->
          new SubsampledGaussian(
              NoiseMultiplier.of(first), component.get(2).asDouble(), 1, last.asLong());
      case "laplace" -> new Laplace(1, first, last.asLong());
      case "pure" -> new PureDp(Epsilon.of(first), last.asLong());
      case "approx" ->
          new ApproximateDp(
              Epsilon.of(first), Delta.of(component.get(2).asDouble()), last.asLong());
      case "sslaplace" ->
          new SubsampledLaplace(1, component.get(2).asDouble(), first, last.asLong());
      default -> throw new IllegalArgumentException("no such component: " + component);
    };
  }
}
