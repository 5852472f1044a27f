package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.renyi.SimpleComposition.Release;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Basic and advanced composition, and amplification by sampling. */
class SimpleRulesTest {
  private static final Epsilon EPSILON = Epsilon.of(0.1);
  private static final Delta NONE = Delta.of(0);

  @Test
  void oneRelease_costsItself() {
    assertThat(SimpleComposition.basic(List.of(release(0.1, 1e-6, 1))))
        .isEqualTo(new SimpleComposition(EPSILON, Delta.of(1e-6)));
  }

  @Test
  void failuresThatAddUpToMoreThanCertainty_areCertainty() {
    List<Release> releases = List.of(release(0.1, 0.4, 3));
    assertThat(SimpleComposition.basic(releases).delta()).isEqualTo(Delta.of(1));
    assertThat(SimpleComposition.advanced(releases, Delta.of(0.1)).delta()).isEqualTo(Delta.of(1));
  }

  private static Release release(double epsilon, double delta, long count) {
    return new Release(Epsilon.of(epsilon), Delta.of(delta), count);
  }

  @Test
  void releasesThatDiffer_addUp() {
    SimpleComposition sum =
        SimpleComposition.basic(List.of(release(0.1, 1e-6, 3), release(0.5, 0, 1)));
    assertThat(sum.epsilon().value()).isBetween(0.8, 0.8 * (1 + 1e-13));
    assertThat(sum.delta().value()).isBetween(3e-6, 3e-6 * (1 + 1e-13));
    assertThat(SimpleComposition.basic(List.of()))
        .isEqualTo(new SimpleComposition(Epsilon.of(0), Delta.of(0)));
  }

  @Test
  void advancedComposition_ofReleasesThatDiffer_isTheTheorems() {
    SimpleComposition sum =
        SimpleComposition.advanced(
            List.of(release(0.1, 1e-7, 10), release(0.3, 0, 2)), Delta.of(1e-6));
    double mean = 10 * 0.1 * Math.tanh(0.05) + 2 * 0.3 * Math.tanh(0.15);
    double deviation = Math.sqrt(2 * Math.log(1e6) * (10 * 0.01 + 2 * 0.09));
    assertThat(sum.epsilon().value()).isBetween(mean + deviation, (mean + deviation) * (1 + 1e-13));
    assertThat(sum.delta().value()).isBetween(2e-6, 2e-6 * (1 + 1e-13));
  }

  /** tanh(ε/2) is at most e^ε − 1. */
  @Property
  void advancedComposition_ofReleasesThatAreAlike_isNeverLooserThanTheOldForm(
      @ForAll @DoubleRange(min = -6, max = 1.5) double logEpsilon,
      @ForAll @LongRange(min = 1, max = 1_000_000) long count,
      @ForAll @DoubleRange(min = -100, max = -1) double logSlack) {
    Epsilon epsilon = Epsilon.of(Math.pow(10, logEpsilon));
    Delta slack = Delta.of(Math.pow(10, logSlack));
    SimpleComposition differing =
        SimpleComposition.advanced(List.of(new Release(epsilon, NONE, count)), slack);
    double e = epsilon.value();
    double alike =
        Math.sqrt(-2.0 * count * Math.log(slack.value())) * e + count * e * Math.expm1(e);
    assertThat(differing.epsilon().value()).isLessThanOrEqualTo(alike * (1 + 1e-13));
    assertThat(differing.delta()).isEqualTo(slack);
  }

  @Property
  void splittingARelease_changesNothingButRounding(
      @ForAll @DoubleRange(min = -6, max = 1) double logEpsilon,
      @ForAll @LongRange(min = 1, max = 1000) long some,
      @ForAll @LongRange(min = 1, max = 1000) long others) {
    Epsilon epsilon = Epsilon.of(Math.pow(10, logEpsilon));
    Delta delta = Delta.of(1e-9);
    List<Release> whole = List.of(new Release(epsilon, delta, some + others));
    List<Release> parts =
        List.of(new Release(epsilon, delta, some), new Release(epsilon, delta, others));
    assertThat(SimpleComposition.basic(parts).epsilon().value())
        .isCloseTo(SimpleComposition.basic(whole).epsilon().value(), withinPercentage(1e-10));
    assertThat(SimpleComposition.advanced(parts, Delta.of(1e-6)).epsilon().value())
        .isCloseTo(
            SimpleComposition.advanced(whole, Delta.of(1e-6)).epsilon().value(),
            withinPercentage(1e-10));
  }

  @Test
  void aReleaseThatNeverHappens_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> release(0.1, 0, 0))
        .withMessage("count must be at least 1; was 0");
  }

  @Test
  void nonsense_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimpleComposition.advanced(List.of(release(0.1, 0, 5)), NONE))
        .withMessage("delta must be above 0 and below 1; was 0.0");
  }

  /** 1-DP on an εn-subset is 2ε-DP, by the lecture; and less by the exact rule. */
  @Property
  void theLecturesRule_holdsAndIsLooser(@ForAll @DoubleRange(min = -9, max = -0.01) double log) {
    double rate = Math.pow(10, log);
    double exact = Amplification.epsilon(Epsilon.of(1), rate).value();
    assertThat(exact).isBetween(Math.log1p(rate * Math.expm1(1)), 2 * rate);
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
  }

  @Test
  void aSampleOfEveryRow_costsTheWhole() {
    assertThat(Amplification.epsilon(EPSILON, 1)).isEqualTo(EPSILON);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1.1, Double.NaN})
  void aRateOutOfRange_isRefused(double rate) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Amplification.epsilon(EPSILON, rate))
        .withMessage("the sampling rate must be above 0 and at most 1; was " + rate);
  }
}
