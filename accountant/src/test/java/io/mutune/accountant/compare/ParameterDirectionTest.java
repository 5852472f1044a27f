package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What more of each parameter of every mechanism and law does to its cost. */
class ParameterDirectionTest {
  private static final EpsilonAt QUERY = new EpsilonAt(Delta.of(1e-5));

  /** With which every mechanism that has them has a finite cost that each of them changes. */
  private static final Map<String, Double> USUAL =
      Map.ofEntries(
          Map.entry("sigma", 4.0),
          Map.entry("samplingRate", 0.1),
          Map.entry("scale", 2.0),
          Map.entry("sensitivity", 1.0),
          Map.entry("epsilon", 0.5),
          Map.entry("delta", 1e-6),
          Map.entry("rho", 0.05),
          Map.entry("omega", 4.0),
          Map.entry("count", 3.0),
          Map.entry("mean", 5.0),
          Map.entry("most", 10.0),
          Map.entry("probability", 0.5),
          Map.entry("shape", 0.5),
          Map.entry("gamma", 0.1));

  static Stream<Arguments> parameters() {
    return Mechanism.keys().entrySet().stream()
        .flatMap(form -> form.getValue().stream().map(key -> Arguments.of(form.getKey(), key)));
  }

  @ParameterizedTest
  @MethodSource("parameters")
  void moreOfAParameter_costsLessWhereItSaysSoAndMoreElsewhere(String name, String key) {
    double usual = epsilon(name, usual(name));
    Map<String, Number> more = usual(name);
    more.computeIfPresent(
        key, (k, value) -> isWhole(k) ? value.longValue() + 1 : value.doubleValue() * 1.1);
    double changed = epsilon(name, more);

    assertThat(usual).isFinite();
    if (Mechanism.isCheaperWithMore(key)) {
      assertThat(changed).isLessThan(usual);
    } else {
      assertThat(changed).isGreaterThan(usual);
    }
  }

  @Test
  void aParameterOfARun_hasItsDirectionThereToo() {
    assertThat(Mechanism.isCheaperWithMore("run.sigma")).isTrue();
    assertThat(Mechanism.isCheaperWithMore("run.run.sigma")).isTrue();
    assertThat(Mechanism.isCheaperWithMore("run.run.epsilon")).isFalse();
  }

  private static boolean isWhole(String key) {
    return key.equals("count") || key.equals("most");
  }

  private static Map<String, Number> usual(String name) {
    Map<String, Number> numbers = new LinkedHashMap<>();
    for (String key : Objects.requireNonNull(Mechanism.keys().get(name))) {
      numbers.put(key, Objects.requireNonNull(USUAL.get(key), key));
    }
    return numbers;
  }

  private static double epsilon(String name, Map<String, Number> numbers) {
    Mechanism mechanism = mechanism(name, numbers);
    Releases releases = Releases.of(Adjacency.ADD_REMOVE, mechanism);
    return CombinedGuarantee.GUARANTEE.bound(releases, QUERY).upper();
  }

  /** A law alone costs nothing: it is that of a selection among Gaussian runs. */
  private static Mechanism mechanism(String name, Map<String, Number> numbers) {
    if (numbers.containsKey("count")) {
      return Mechanism.of(name, numbers);
    }
    Map<String, Number> selection = new LinkedHashMap<>(numbers);
    usual("gaussian").forEach((key, value) -> selection.put(RepeatAndSelect.RUN + key, value));
    return Mechanism.of(RepeatAndSelect.PREFIX + name + ":gaussian", selection);
  }
}
