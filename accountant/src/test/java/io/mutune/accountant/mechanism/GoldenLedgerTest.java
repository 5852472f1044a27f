package io.mutune.accountant.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.renyi.RenyiDp;
import io.mutune.accountant.renyi.ZeroConcentratedDp;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A ledger of version 1 is read for ever, to the same mechanisms at the same cost. */
class GoldenLedgerTest {
  /** The table's own digits are 17; the roundings upward are below 1e-12. */
  private static final double PERCENT = 1e-10;

  private static final Delta DELTA = Delta.of(1e-6);

  private static JsonNode file(String name) {
    JsonMapper mapper =
        JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
    try (InputStream in =
        Objects.requireNonNull(GoldenLedgerTest.class.getResourceAsStream(name))) {
      return mapper.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<JsonNode> golden() {
    return file("ledger-1.json").get("charges").valueStream();
  }

  static Stream<JsonNode> malformed() {
    return file("malformed.json").get("charges").valueStream();
  }

  private static Map<String, Number> parameters(JsonNode charge) {
    Map<String, Number> parameters = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> e : charge.get("parameters").properties()) {
      parameters.put(e.getKey(), e.getValue().numberValue());
    }
    return parameters;
  }

  private static Mechanism read(JsonNode charge) {
    return Mechanism.of(charge.get("mechanism").asString(), parameters(charge));
  }

  @ParameterizedTest
  @MethodSource("golden")
  void aCharge_isWrittenAgainAsItStands(JsonNode charge) {
    Mechanism mechanism = read(charge);
    assertThat(mechanism.name()).isEqualTo(charge.get("mechanism").asString());
    Map<String, Number> written = mechanism.parameters();
    assertThat(List.copyOf(written.keySet()))
        .isEqualTo(List.copyOf(charge.get("parameters").propertyNames()));
    written.forEach(
        (key, value) ->
            assertThat(value.doubleValue())
                .as(key)
                .isEqualTo(charge.get("parameters").get(key).asDouble()));
    assertThat(Mechanism.of(mechanism.name(), written)).isEqualTo(mechanism);
  }

  @ParameterizedTest
  @MethodSource("golden")
  void itsCost_isWhatItWasThen(JsonNode charge) {
    Mechanism mechanism = read(charge);
    int known = 0;
    if (charge.has("mu")) {
      double mu = charge.get("mu").asDouble();
      assertThat(mechanism.mu().orElseThrow().value())
          .isCloseTo(mu, withinPercentage(PERCENT))
          .isGreaterThanOrEqualTo(mu * (1 - 1e-15));
      known++;
    }
    if (charge.has("basic")) {
      Bound bound =
          (Bound)
              Accountant.BASIC.answer(
                  Releases.of(Adjacency.ADD_REMOVE, mechanism), new EpsilonAt(DELTA));
      assertThat(bound.upper())
          .isBetween(
              charge.get("basic").asDouble() * (1 - 1e-15),
              charge.get("basic").asDouble() * (1 + 1e-12));
      known++;
    }
    if (charge.has("rho")) {
      double epsilon =
          ((Bound)
                  Accountant.ZCDP.answer(
                      Releases.of(Adjacency.ADD_REMOVE, mechanism), new EpsilonAt(DELTA)))
              .upper();
      double ofRho = ZeroConcentratedDp.of(charge.get("rho").asDouble()).epsilon(DELTA).value();
      assertThat(epsilon).isCloseTo(ofRho, withinPercentage(PERCENT));
      known++;
    }
    if (charge.has("failure")) {
      double failure = charge.get("failure").asDouble();
      assertThat(RenyiDp.of(mechanism, Adjacency.ADD_REMOVE).failure())
          .isBetween(failure * (1 - 1e-15), failure * (1 + 1e-8));
      known++;
    }
    // The rest has no closed form, and yet a finite cost above 0 under both adjacencies.
    for (Adjacency adjacency : Adjacency.values()) {
      RenyiDp renyi = RenyiDp.of(mechanism, adjacency);
      assertThat(renyi.curve().at(2) + renyi.failure()).isPositive().isFinite();
    }
    assertThat(known).isEqualTo(known(charge));
  }

  private static int known(JsonNode charge) {
    Set<String> keys = new TreeSet<>(charge.propertyNames());
    keys.removeAll(Set.of("mechanism", "parameters"));
    assertThat(keys).isSubsetOf("mu", "basic", "rho", "failure");
    return keys.size();
  }

  /** A mechanism that is added without a line in the file would have no promise. */
  @Test
  void theFile_hasEveryMechanismAndEveryLaw() {
    Set<String> names = new TreeSet<>();
    golden().forEach(charge -> names.add(charge.get("mechanism").asString()));
    assertThat(names)
        .contains(
            ("gaussian subsampled-gaussian laplace subsampled-laplace exponential-mechanism"
                    + " randomized-response pure-dp approximate-dp truncated-concentrated"
                    + " zero-concentrated")
                .split(" "))
        .anyMatch(name -> name.startsWith("repeat-and-select:poisson:"))
        .anyMatch(name -> name.startsWith("repeat-and-select:truncated-negative-binomial:"));
    Set<Class<?>> kinds = new HashSet<>();
    golden().forEach(charge -> kinds.add(read(charge).getClass()));
    assertThat(kinds).hasSize(leaves(Mechanism.class));
  }

  private static int leaves(Class<?> sealed) {
    Class<?>[] permitted = sealed.getPermittedSubclasses();
    if (permitted == null) {
      return 1;
    }
    return Stream.of(permitted).mapToInt(GoldenLedgerTest::leaves).sum();
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void aMalformedCharge_isRefusedWithItsRuleAndItsValue(JsonNode charge) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(charge))
        .withMessageContaining(charge.get("says").asString());
  }

  /** Each number of each charge in turn: text that is none, and nothing at all. */
  @ParameterizedTest
  @MethodSource("golden")
  void aNumberThatIsMissingOrNone_isRefused(JsonNode charge) {
    Map<String, Number> parameters = parameters(charge);
    String name = charge.get("mechanism").asString();
    for (String key : parameters.keySet()) {
      for (Number wrong :
          new Number[] {Double.NaN, Double.NEGATIVE_INFINITY, -1.0, Double.POSITIVE_INFINITY}) {
        Map<String, Number> tampered = new LinkedHashMap<>(parameters);
        tampered.put(key, wrong);
        assertThatIllegalArgumentException()
            .as("%s of %s as %s", key, name, wrong)
            .isThrownBy(() -> Mechanism.of(name, tampered));
      }
      Map<String, Number> empty = new LinkedHashMap<>(parameters);
      empty.put(key, null);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Mechanism.of(name, empty))
          .withMessageContaining(key.replace("run.", "") + " has no value");
    }
  }

  /** A number given as text of another form is the same number. */
  @ParameterizedTest
  @MethodSource("golden")
  void numbersOfAnyJavaType_areReadAlike(JsonNode charge) {
    Map<String, Number> doubles = new LinkedHashMap<>();
    parameters(charge).forEach((key, value) -> doubles.put(key, value.doubleValue()));
    assertThat(Mechanism.of(charge.get("mechanism").asString(), doubles)).isEqualTo(read(charge));
  }
}
