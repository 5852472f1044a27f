package io.mutune.accountant.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.testing.Mechanisms;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What holds for every mechanism there is, with numbers to the ends of their ranges. */
class MechanismPropertyTest {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  @Provide
  Arbitrary<Mechanism> all() {
    return Arbitraries.oneOf(Mechanisms.usual(), Mechanisms.extreme());
  }

  /** Through text and back, as a ledger's file does: not a bit may change. */
  @Property(tries = 500)
  void aMechanism_isReadBackFromJsonToTheLastBit(@ForAll("all") Mechanism mechanism) {
    ObjectNode node = JSON.createObjectNode();
    mechanism
        .parameters()
        .forEach(
            (key, value) -> {
              if (value instanceof Long whole) {
                node.put(key, whole);
              } else {
                node.put(key, value.doubleValue());
              }
            });
    ObjectNode read = (ObjectNode) JSON.readTree(JSON.writeValueAsString(node));
    Map<String, Number> parameters = new LinkedHashMap<>();
    read.properties().forEach(e -> parameters.put(e.getKey(), e.getValue().numberValue()));
    Mechanism again = Mechanism.of(mechanism.name(), parameters);
    assertThat(again).isEqualTo(mechanism).hasSameHashCodeAs(mechanism);
    assertThat(again.mu()).isEqualTo(mechanism.mu());
  }

  /** Whatever is made worse is another mechanism, with another form and no smaller μ. */
  @Property(tries = 500)
  void aDearerMechanism_isAnotherOneWithNoSmallerMu(@ForAll("all") Mechanism mechanism) {
    for (Mechanism dearer : Mechanisms.dearer(mechanism)) {
      boolean same = dearer.parameters().equals(mechanism.parameters());
      assertThat(dearer.equals(mechanism)).isEqualTo(same);
      assertThat(dearer.name()).isEqualTo(mechanism.name());
      if (mechanism.mu().isPresent() && dearer.mu().isPresent()) {
        assertThat(dearer.mu().get().value())
            .isGreaterThanOrEqualTo(mechanism.mu().get().value() * (1 - 1e-13));
      }
    }
  }

  /** √n times the μ of one, for all that have one. */
  @Property(tries = 300)
  void aCount_multipliesMuByItsRoot(@ForAll @LongRange(min = 1, max = 1_000_000) long count) {
    for (var kind : Mechanisms.counted()) {
      Mechanism one = kind.apply(1);
      Mechanism many = kind.apply(count);
      assertThat(many.mu().isPresent()).isEqualTo(one.mu().isPresent());
      if (one.mu().isPresent()) {
        assertThat(many.mu().get().value())
            .isCloseTo(Math.sqrt((double) count) * one.mu().get().value(), withinPercentage(1e-10));
      }
    }
  }

  /** sensitivity/scale in decimals: the smallest double that is not below it, or the next one. */
  @Property(tries = 500)
  void laplacesEpsilon_isTheQuotientRoundedUp(
      @ForAll @DoubleRange(min = 1e-6, max = 1e6) @Scale(12) double scale,
      @ForAll @DoubleRange(min = 1e-6, max = 1e6) @Scale(12) double sensitivity) {
    double epsilon = new Laplace(scale, sensitivity, 1).epsilon().value();
    BigDecimal product = new BigDecimal(epsilon).multiply(new BigDecimal(scale));
    assertThat(product).isGreaterThanOrEqualTo(new BigDecimal(sensitivity));
    BigDecimal below =
        new BigDecimal(Math.nextDown(Math.nextDown(epsilon))).multiply(new BigDecimal(scale));
    assertThat(below).isLessThan(new BigDecimal(sensitivity));
  }

  @Test
  void aQuotientThatIsADouble_isItself() {
    for (double scale : new double[] {1, 2, 0.5, 4096, 3}) {
      assertThat(new Laplace(scale, 3 * scale, 1).epsilon()).isEqualTo(Epsilon.of(3));
    }
    // Smaller than any normal double: rounded up all the same.
    assertThat(new Laplace(1e300, 1e-20, 1).epsilon().value()).isPositive();
    assertThat(new Laplace(Double.MAX_VALUE, Double.MIN_VALUE, 1).epsilon().value())
        .isEqualTo(Double.MIN_VALUE);
  }

  /** ln(1 + q(e^ε − 1)): never above ε, never below qε, and growing with the rate. */
  @Property(tries = 500)
  void sampledLaplacesEpsilon_liesBetweenItsRateAndTheWhole(
      @ForAll @DoubleRange(min = 1e-4, max = 2000) @Scale(6) double whole,
      @ForAll @DoubleRange(min = 1e-9, max = 1) @Scale(9) double rate) {
    SubsampledLaplace sampled = new SubsampledLaplace(1 / whole, rate, 1, 3);
    double all = sampled.unsampled().epsilon().value();
    double epsilon = sampled.epsilon().value();
    assertThat(epsilon).isLessThanOrEqualTo(all).isGreaterThanOrEqualTo(rate * whole * (1 - 1e-12));
    double more =
        new SubsampledLaplace(1 / whole, Math.min(1, rate * 1.01), 1, 3).epsilon().value();
    assertThat(more).isGreaterThanOrEqualTo(epsilon * (1 - 1e-15));
    if (all < 600) {
      assertThat(epsilon)
          .isCloseTo(Math.log1p(rate * Math.expm1(all)), within(1e-12 * epsilon + 1e-300));
    }
  }

  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void aReplacedRow_movesASumByTwice(Adjacency adjacency) {
    Gaussian one = new Gaussian(NoiseMultiplier.of(8), adjacency.sumSensitivity(), 16);
    assertThat(one.mu().orElseThrow().value())
        .isEqualTo(adjacency == Adjacency.ADD_REMOVE ? 0.5 : 1.0);
    assertThat(Adjacency.ofKey(adjacency.key())).contains(adjacency);
    assertThat(Adjacency.ofKey(adjacency.name())).isEmpty();
  }

  /** What has no trade-off curve of its own claims none. */
  @Test
  void onlyWhatHasAMu_saysOne() {
    List<Class<?>> with = new ArrayList<>();
    for (var kind : Mechanisms.counted()) {
      Mechanism mechanism = kind.apply(3);
      if (mechanism.mu().isPresent()) {
        with.add(mechanism.getClass());
      }
      assertThat(new RepeatAndSelect(mechanism, new PoissonTrials(2)).mu()).isEmpty();
    }
    assertThat(with)
        .containsExactlyInAnyOrder(
            Gaussian.class,
            SubsampledGaussian.class,
            Laplace.class,
            SubsampledLaplace.class,
            SubsampledLaplace.class,
            ExponentialMechanism.class,
            RandomizedResponse.class,
            PureDp.class);
  }

  @Property(tries = 300)
  void theMuOfAPureMechanism_isThatOfItsEpsilonAlone(
      @ForAll @DoubleRange(min = 0.001, max = 40) @Scale(4) double epsilon) {
    double one = GaussianDp.ofPure(Epsilon.of(epsilon)).mu().value();
    for (PureMechanism mechanism :
        List.of(
            new PureDp(Epsilon.of(epsilon), 1),
            new RandomizedResponse(Epsilon.of(epsilon), 1),
            new ExponentialMechanism(Epsilon.of(epsilon), 1))) {
      assertThat(mechanism.mu().orElseThrow().value()).isEqualTo(one);
      assertThat(mechanism.epsilon().value()).isEqualTo(epsilon);
    }
  }

  /** A mean is found by its law, and asked back from it. */
  @Property(tries = 300)
  void aLawOfAMean_hasThatMean(
      @ForAll @DoubleRange(min = -0.95, max = 5) double shape,
      @ForAll @DoubleRange(min = 0.01, max = 2.5) double logMean) {
    double mean = Math.pow(10, logMean);
    TruncatedNegativeBinomial law = TruncatedNegativeBinomial.ofMean(shape, mean);
    assertThat(law.shape()).isEqualTo(shape);
    assertThat(law.mean()).isCloseTo(mean, withinPercentage(1e-8));
    assertThat(new TruncatedNegativeBinomial(shape, law.gamma() * 0.9).mean())
        .isGreaterThan(law.mean());
    assertThat(TrialCount.of(law.name(), law.parameters())).isEqualTo(law);
  }

  @ParameterizedTest
  @CsvSource({"0, 1e-300", "1, 1e-9", "-0.5, 1e-12", "3, 0.999999999"})
  void extremeLaws_haveAMeanOfOneAtLeast(double shape, double gamma) {
    double mean = new TruncatedNegativeBinomial(shape, gamma).mean();
    assertThat(mean).isGreaterThanOrEqualTo(1 - 1e-12).isFinite();
  }
}
