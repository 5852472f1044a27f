package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.renyi.SimpleComposition.Release;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The older rules against the optimal composition of k randomised responses, which is a finite sum
 * (Kairouz, Oh and Viswanath 2015, Theorem 3.3), and amplification against mixtures by hand.
 */
class SimpleCompositionExactTest {
  /** δ(ε) of k randomised responses of ε₀: Σ over the number of true answers. */
  private static double exactDelta(double one, int count, double epsilon) {
    double sum = 0;
    for (int lies = 0; lies <= count; lies++) {
      double loss = (count - 2 * lies) * one;
      if (loss > epsilon) {
        double probability =
            CombinatoricsUtils.binomialCoefficientDouble(count, lies)
                * Math.exp((count - lies) * one - count * Math.log1p(Math.exp(one)));
        sum += probability * -Math.expm1(epsilon - loss);
      }
    }
    return sum;
  }

  @Property(tries = 300)
  void advanced_isAtLeastTheOptimum(
      @ForAll @DoubleRange(min = 0.001, max = 3) @Scale(4) double one,
      @ForAll @IntRange(min = 1, max = 60) int count,
      @ForAll @DoubleRange(min = -9, max = -0.3) double logDelta) {
    Delta slack = Delta.of(Math.pow(10, logDelta));
    List<Release> releases = List.of(new Release(Epsilon.of(one), Delta.of(0), count));
    SimpleComposition rule = SimpleComposition.advanced(releases, slack);
    assertThat(exactDelta(one, count, rule.epsilon().value()))
        .isLessThanOrEqualTo(rule.delta().value() * (1 + 1e-12));
    assertThat(rule.delta().value()).isBetween(slack.value(), slack.value() * (1 + 1e-13));
    assertThat(exactDelta(one, count, SimpleComposition.basic(releases).epsilon().value()))
        .isZero();
  }

  /** Releases that differ: all 2ᵏ answers are written out. */
  @Property(tries = 200)
  void advanced_isSoundForReleasesThatDiffer(
      @ForAll @IntRange(min = 1, max = 8) int count, @ForAll Random random) {
    List<Release> releases = new ArrayList<>();
    double[] one = new double[count];
    for (int i = 0; i < count; i++) {
      one[i] = 0.02 + 1.5 * random.nextDouble();
      releases.add(new Release(Epsilon.of(one[i]), Delta.of(0), 1));
    }
    Delta slack = Delta.of(Math.pow(10, -6 * random.nextDouble() - 0.1));
    double epsilon = SimpleComposition.advanced(releases, slack).epsilon().value();
    double delta = 0;
    for (int answers = 0; answers < 1 << count; answers++) {
      double loss = 0;
      double logProbability = 0;
      for (int i = 0; i < count; i++) {
        boolean isTrue = (answers >> i & 1) == 1;
        loss += isTrue ? one[i] : -one[i];
        logProbability -= Math.log1p(Math.exp(isTrue ? -one[i] : one[i]));
      }
      if (loss > epsilon) {
        delta += Math.exp(logProbability) * -Math.expm1(epsilon - loss);
      }
    }
    assertThat(delta).isLessThanOrEqualTo(slack.value() * (1 + 1e-12));
  }

  @Property(tries = 200)
  void theOrderOfReleases_changesNothingBeyondRounding(
      @ForAll @IntRange(min = 2, max = 10) int count, @ForAll Random random) {
    List<Release> releases = new ArrayList<>();
    BigDecimal epsilons = BigDecimal.ZERO;
    BigDecimal deltas = BigDecimal.ZERO;
    for (int i = 0; i < count; i++) {
      double epsilon = random.nextDouble();
      double delta = random.nextDouble() * 1e-3;
      long times = 1L + random.nextInt(5);
      releases.add(new Release(Epsilon.of(epsilon), Delta.of(delta), times));
      epsilons = epsilons.add(new BigDecimal(epsilon).multiply(BigDecimal.valueOf(times)));
      deltas = deltas.add(new BigDecimal(delta).multiply(BigDecimal.valueOf(times)));
    }
    SimpleComposition basic = SimpleComposition.basic(releases);
    // Sums are rounded up, each by a hair.
    assertThat(new BigDecimal(basic.epsilon().value()))
        .isGreaterThanOrEqualTo(epsilons)
        .isLessThanOrEqualTo(epsilons.multiply(BigDecimal.valueOf(1 + 1e-13)));
    assertThat(new BigDecimal(basic.delta().value()))
        .isGreaterThanOrEqualTo(deltas)
        .isLessThanOrEqualTo(deltas.multiply(BigDecimal.valueOf(1 + 1e-13)));
    List<Release> shuffled = new ArrayList<>(releases);
    Collections.shuffle(shuffled, random);
    Delta slack = Delta.of(1e-6);
    assertThat(SimpleComposition.advanced(shuffled, slack).epsilon().value())
        .isCloseTo(SimpleComposition.advanced(releases, slack).epsilon().value(), within(1e-12));
  }

  @Test
  void oneReleaseAlone_isItselfToTheLastBit() {
    Release one = new Release(Epsilon.of(0.1), Delta.of(1e-7), 1);
    SimpleComposition basic = SimpleComposition.basic(List.of(one));
    assertThat(basic.epsilon()).isEqualTo(one.epsilon());
    assertThat(basic.delta()).isEqualTo(one.delta());
  }

  @Test
  void failuresBeyondCertainty_areCertain() {
    List<Release> releases = List.of(new Release(Epsilon.of(0.1), Delta.of(0.4), 3));
    SimpleComposition basic = SimpleComposition.basic(releases);
    assertThat(basic.delta()).isEqualTo(Delta.of(1));
    SimpleComposition advanced = SimpleComposition.advanced(releases, Delta.of(0.1));
    assertThat(advanced.delta()).isEqualTo(Delta.of(1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -7})
  void aCountBelowOne_isRefused(long count) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Release(Epsilon.of(1), Delta.of(0), count))
        .withMessage("count must be at least 1; was " + count);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void aSlackOfNothingOrEverything_isRefused(double slack) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimpleComposition.advanced(List.of(), Delta.of(slack)))
        .withMessage("delta must be above 0 and below 1; was " + slack);
  }

  @Test
  void aBoundThatOverflows_isRefusedAndNotInfinite() {
    List<Release> dear = List.of(new Release(Epsilon.of(1e308), Delta.of(0), 3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimpleComposition.advanced(dear, Delta.of(0.1)))
        .withMessage("epsilon must be finite and at least 0; was Infinity");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimpleComposition.basic(dear))
        .withMessage("epsilon must be finite and at least 0; was Infinity");
  }

  /**
   * A mechanism that answers two ways on a sample: without the row its answer is q's, with it the
   * mixture of both. The largest log-ratio over answers is ln(1 + q(e^ε − 1)) for the worst one.
   */
  @Property(tries = 300)
  void amplification_isTheLossOfTheMixture(
      @ForAll @DoubleRange(min = 0.001, max = 20) @Scale(4) double epsilon,
      @ForAll @DoubleRange(min = 1e-6, max = 1) @Scale(6) double rate) {
    double likely = 1 / (1 + Math.exp(-epsilon));
    double mixed = (1 - rate) * (1 - likely) + rate * likely;
    double loss = Math.log(mixed / (1 - likely));
    double amplified = Amplification.epsilon(Epsilon.of(epsilon), rate).value();
    assertThat(amplified).isCloseTo(loss, within(1e-7 * loss + 1e-13 * Math.exp(epsilon)));
    assertThat(amplified).isLessThanOrEqualTo(epsilon);
  }

  @ParameterizedTest
  @CsvSource({"699.9, 1e-3", "700.1, 1e-3", "1e5, 0.5", "1e300, 1e-9"})
  void amplificationOfHugeLosses_takesLogarithms(double epsilon, double rate) {
    double amplified = Amplification.epsilon(Epsilon.of(epsilon), rate).value();
    double expected = epsilon + Math.log(rate);
    assertThat(amplified).isCloseTo(expected, within(1e-12 * epsilon));
    assertThat(amplified).isLessThanOrEqualTo(epsilon);
  }

  @Test
  void allRows_areNotAmplified() {
    assertThat(Amplification.epsilon(Epsilon.of(0.3), 1)).isEqualTo(Epsilon.of(0.3));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1.1, Double.NaN})
  void aRateOutOfRange_isRefused(double rate) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Amplification.epsilon(Epsilon.of(1), rate))
        .withMessage("the sampling rate must be above 0 and at most 1; was " + rate);
  }
}
