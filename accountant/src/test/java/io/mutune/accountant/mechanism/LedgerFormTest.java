package io.mutune.accountant.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The form in which ledgers keep mechanisms. What is written here was promised for ever. */
class LedgerFormTest {
  private static final Mechanism DP_SGD =
      new SubsampledGaussian(NoiseMultiplier.of(1.1), 0.01, 2.0, 500);

  /** Sorted by name, as text: a change of any of it makes old ledgers unreadable. */
  static Stream<Arguments> forms() {
    return Stream.of(
        Arguments.of(
            new Gaussian(NoiseMultiplier.of(0.1), 2, 100),
            "gaussian {sigma=0.1, sensitivity=2.0, count=100}"),
        Arguments.of(
            DP_SGD,
            "subsampled-gaussian {sigma=1.1, samplingRate=0.01, sensitivity=2.0, count=500}"),
        Arguments.of(new Laplace(10.0, 2.0, 3), "laplace {scale=10.0, sensitivity=2.0, count=3}"),
        Arguments.of(
            new SubsampledLaplace(10.0, 0.5, 2.0, 3),
            "subsampled-laplace {scale=10.0, samplingRate=0.5, sensitivity=2.0, count=3}"),
        Arguments.of(
            new ExponentialMechanism(Epsilon.of(0.25), 4),
            "exponential-mechanism {epsilon=0.25, count=4}"),
        Arguments.of(
            new RandomizedResponse(Epsilon.of(0.25), 4),
            "randomized-response {epsilon=0.25, count=4}"),
        Arguments.of(new PureDp(Epsilon.of(0.25), 4), "pure-dp {epsilon=0.25, count=4}"),
        Arguments.of(
            new ApproximateDp(Epsilon.of(0.25), Delta.of(1e-7), 4),
            "approximate-dp {epsilon=0.25, delta=1.0E-7, count=4}"),
        Arguments.of(
            new TruncatedConcentrated(0.125, 40.5, 4),
            "truncated-concentrated {rho=0.125, omega=40.5, count=4}"),
        Arguments.of(
            TruncatedConcentrated.ofZeroConcentrated(0.125, 4),
            "zero-concentrated {rho=0.125, count=4}"),
        Arguments.of(
            new RepeatAndSelect(DP_SGD, new PoissonTrials(8)),
            "repeat-and-select:poisson:subsampled-gaussian {mean=8.0, run.sigma=1.1,"
                + " run.samplingRate=0.01, run.sensitivity=2.0, run.count=500}"),
        Arguments.of(
            new RepeatAndSelect(new PureDp(Epsilon.of(1), 1), new BinomialTrials(9, 0.5)),
            "repeat-and-select:binomial:pure-dp"
                + " {most=9, probability=0.5, run.epsilon=1.0, run.count=1}"),
        Arguments.of(
            new RepeatAndSelect(
                new RepeatAndSelect(
                    new PureDp(Epsilon.of(1), 1), new TruncatedNegativeBinomial(0, 0.5)),
                new PoissonTrials(2)),
            "repeat-and-select:poisson:repeat-and-select:truncated-negative-binomial:pure-dp"
                + " {mean=2.0, run.shape=0.0, run.gamma=0.5, run.run.epsilon=1.0,"
                + " run.run.count=1}"));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void everyMechanism_isKeptUnderNamesThatDoNotChange(Mechanism mechanism, String form) {
    assertThat(mechanism.name() + " " + mechanism.parameters()).isEqualTo(form);
  }

  @Test
  void everyMechanismAndLaw_isHere() {
    assertThat(forms().map(form -> ((Mechanism) form.get()[0]).name()))
        .flatMap(name -> List.of(name.split(":")))
        .containsAll(Mechanism.keys().keySet());
  }

  @ParameterizedTest
  @MethodSource("forms")
  void everyMechanism_isReadBack(Mechanism mechanism) {
    assertThat(Mechanism.of(mechanism.name(), mechanism.parameters())).isEqualTo(mechanism);
  }

  /** JSON readers give an Integer for 100 and a BigDecimal for 0.1. */
  @ParameterizedTest
  @MethodSource("forms")
  void otherTypesOfNumber_areReadAlike(Mechanism mechanism) {
    Map<String, Number> read = new HashMap<>();
    mechanism
        .parameters()
        .forEach((key, value) -> read.put(key, new java.math.BigDecimal(value.toString())));
    assertThat(Mechanism.of(mechanism.name(), read)).isEqualTo(mechanism);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aMissingParameter_isRefused(Mechanism mechanism) {
    for (String key : mechanism.parameters().keySet()) {
      Map<String, Number> without = new HashMap<>(mechanism.parameters());
      without.remove(key);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Mechanism.of(mechanism.name(), without))
          .withMessageContaining(" has the parameters ");
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void anUnknownParameter_isRefused(Mechanism mechanism) {
    Map<String, Number> more = new HashMap<>(mechanism.parameters());
    more.put("run.rate", 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mechanism.of(mechanism.name(), more))
        .withMessageContaining("rate");
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aParameterThatIsNoNumber_isRefused(Mechanism mechanism) {
    for (String key : mechanism.parameters().keySet()) {
      Map<String, Number> tampered = new HashMap<>(mechanism.parameters());
      tampered.put(key, Double.NaN);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Mechanism.of(mechanism.name(), tampered))
          .withMessageContaining("NaN");
    }
  }

  @Property
  void allDigits_areReadBack(
      @ForAll @DoubleRange(min = 0.01, max = 1e6) double number,
      @ForAll @DoubleRange(min = 0.01, max = 1) double rate,
      @ForAll @LongRange(min = 1) long count) {
    Mechanism written =
        new RepeatAndSelect(
            new SubsampledGaussian(NoiseMultiplier.of(number / 3), rate / 3, number / 7, count),
            new TruncatedNegativeBinomial(number / 9, rate / 9));
    assertThat(Mechanism.of(written.name(), written.parameters())).isEqualTo(written);
  }

  @Test
  void aSelectionWithoutALawOrARun_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mechanism.of("repeat-and-select:poisson", Map.of("mean", 3)))
        .withMessageContaining("must name the law of trials and what is run");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mechanism.of("repeat-and-select:uniform:pure-dp", Map.of()))
        .withMessageContaining("pure-dp has the parameters");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Mechanism.of(
                    "repeat-and-select:uniform:pure-dp", Map.of("run.epsilon", 1, "run.count", 1)))
        .withMessage("unknown law of trials 'uniform'");
  }
}
