package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Basic and advanced composition, and amplification by sampling. */
class SimpleRulesTest {
  private static final Epsilon EPSILON = Epsilon.of(0.1);
  private static final Delta NONE = Delta.of(0);

  @Test
  void oneRelease_costsItself() {
    assertThat(SimpleComposition.basic(EPSILON, Delta.of(1e-6), 1))
        .isEqualTo(new SimpleComposition(EPSILON, Delta.of(1e-6)));
  }

  @Test
  void failuresThatAddUpToMoreThanCertainty_areCertainty() {
    assertThat(SimpleComposition.basic(EPSILON, Delta.of(0.4), 3).delta()).isEqualTo(Delta.of(1));
    assertThat(SimpleComposition.advanced(EPSILON, Delta.of(0.4), 3, Delta.of(0.1)).delta())
        .isEqualTo(Delta.of(1));
  }

  @Test
  void nonsense_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimpleComposition.basic(EPSILON, NONE, 0))
        .withMessage("count must be at least 1; was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimpleComposition.advanced(EPSILON, NONE, 5, NONE))
        .withMessage("delta must be above 0 and below 1; was 0.0");
  }

  /** 1-DP on an εn-subset is 2ε-DP, by the lecture; and less by the exact rule. */
  @Property
  void theLecturesRule_holdsAndIsLooser(@ForAll @DoubleRange(min = -9, max = -0.01) double log) {
    double rate = Math.pow(10, log);
    double exact = Amplification.epsilon(Epsilon.of(1), rate).value();
    assertThat(exact)
        .isBetween(Math.log1p(rate * Math.expm1(1)), Amplification.ofOneDp(rate).value());
  }

  @Property
  void aSample_costsLessThanTheWholeAndGrowsWithBoth(
      @ForAll @DoubleRange(min = -12, max = 6) double logEpsilon,
      @ForAll @DoubleRange(min = -12, max = 0) double logRate) {
    double epsilon = Math.pow(10, logEpsilon);
    double rate = Math.min(1, Math.pow(10, logRate));
    double sampled = Amplification.epsilon(Epsilon.of(epsilon), rate).value();
    assertThat(sampled).isPositive().isLessThanOrEqualTo(epsilon);
    assertThat(Amplification.epsilon(Epsilon.of(epsilon / 2), rate).value())
        .isLessThanOrEqualTo(sampled);
    assertThat(Amplification.epsilon(Epsilon.of(epsilon), rate / 2).value())
        .isLessThanOrEqualTo(sampled);
    assertThat(Amplification.delta(Delta.of(1e-6), rate).value()).isLessThanOrEqualTo(1e-6);
  }

  @Test
  void aSampleOfEveryRow_costsTheWhole() {
    assertThat(Amplification.epsilon(EPSILON, 1)).isEqualTo(EPSILON);
    assertThat(Amplification.delta(Delta.of(1e-6), 1)).isEqualTo(Delta.of(1e-6));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1.1, Double.NaN})
  void aRateOutOfRange_isRefused(double rate) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Amplification.epsilon(EPSILON, rate))
        .withMessage("the sampling rate must be above 0 and at most 1; was " + rate);
    assertThatIllegalArgumentException().isThrownBy(() -> Amplification.ofOneDp(rate));
  }

  @Test
  void theLecturesRule_isForSamplesBelowTheWhole() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Amplification.ofOneDp(1))
        .withMessageContaining("must be below 1");
  }
}
