package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.commons.numbers.gamma.Erfc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Composition and calibration to the last bit, in decimals that lose none. */
class ExactArithmeticTest {
  private static BigDecimal square(double value) {
    return new BigDecimal(value).pow(2);
  }

  private static double randomMagnitude(Random random) {
    return Math.pow(10, -6 + 12 * random.nextDouble());
  }

  /** √Σμ² is the smallest double whose square is at least Σμ²: the one below it is too small. */
  @Property(tries = 500)
  void aTotal_isTheSmallestDoubleThatCoversItsParts(
      @ForAll @IntRange(min = 1, max = 20) int count, @ForAll Random random) {
    List<GaussianDp> parts = new ArrayList<>();
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < count; i++) {
      double mu = randomMagnitude(random);
      parts.add(GaussianDp.of(Mu.of(mu)));
      sum = sum.add(square(mu));
    }
    double total = GaussianDp.compose(parts).mu().value();
    assertThat(square(total)).isGreaterThanOrEqualTo(sum);
    assertThat(square(Math.nextDown(total))).isLessThan(sum);
    Collections.shuffle(parts, random);
    assertThat(GaussianDp.compose(parts).mu().value()).isEqualTo(total);
    // In two steps it is rounded twice, upward both times.
    GaussianDp first = GaussianDp.compose(parts.subList(0, count / 2));
    GaussianDp rest = GaussianDp.compose(parts.subList(count / 2, count));
    double inTwo = GaussianDp.compose(List.of(first, rest)).mu().value();
    assertThat(inTwo).isBetween(total, Math.nextUp(Math.nextUp(total)));
  }

  /**
   * What is left of a whole is the largest double that composes with the spent part to within it.
   */
  @Property(tries = 500)
  void whatIsLeft_isTheLargestThatFits(@ForAll Random random) {
    double whole = randomMagnitude(random);
    double spent = whole * random.nextDouble();
    GaussianDp left =
        GaussianDp.of(Mu.of(whole)).remaining(GaussianDp.of(Mu.of(spent))).orElseThrow();
    BigDecimal rest = square(whole).subtract(square(spent));
    assertThat(square(left.mu().value())).isLessThanOrEqualTo(rest);
    assertThat(square(Math.nextUp(left.mu().value()))).isGreaterThan(rest);
    GaussianDp more = GaussianDp.of(Mu.of(Math.nextUp(whole)));
    assertThat(GaussianDp.of(Mu.of(whole)).remaining(more)).isEqualTo(Optional.empty());
    assertThat(GaussianDp.of(Mu.of(whole)).remaining(GaussianDp.of(Mu.of(whole))))
        .contains(GaussianDp.NONE);
  }

  /** σ is the smallest double that keeps μ²σ² ≥ T·s²; the one below it does not. */
  @Property(tries = 500)
  void calibratedNoise_isTheSmallestDoubleThatKeepsMu(
      @ForAll Random random, @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long count) {
    double mu = randomMagnitude(random);
    double sensitivity = randomMagnitude(random);
    double sigma = Calibration.noise(Mu.of(mu), sensitivity, count).value();
    BigDecimal needed = square(sensitivity).multiply(BigDecimal.valueOf(count));
    assertThat(square(mu).multiply(square(sigma))).isGreaterThanOrEqualTo(needed);
    assertThat(square(mu).multiply(square(Math.nextDown(sigma)))).isLessThan(needed);
    assertThat(GaussianDp.ofGaussian(NoiseMultiplier.of(sigma), sensitivity, count).mu().value())
        .isLessThanOrEqualTo(mu);
  }

  @Test
  void aBudgetOfNothing_isKeptByNoNoise() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibration.noise(Mu.ZERO, 2, 5))
        .withMessage("no finite noise makes 5 releases of sensitivity 2.0 cost at most mu = 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibration.noise(Mu.of(1e-300), 1e100, 5))
        .withMessageStartingWith("no finite noise makes 5 releases of sensitivity 1.0E100");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void aSensitivityOutOfRange_isRefusedEverywhere(double sensitivity) {
    String message = "sensitivity must be finite and above 0; was " + sensitivity;
    NoiseMultiplier one = NoiseMultiplier.of(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Calibration.noise(Mu.of(1), sensitivity, 1))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.ofGaussian(one, sensitivity, 1))
        .withMessage(message);
  }

  private static double tail(double z) {
    return Erfc.value(z * Math.sqrt(0.5)) / 2;
  }

  /** The closed form itself, where plain doubles do not cancel: to eleven digits. */
  @Property(tries = 300)
  void delta_isTheClosedForm(
      @ForAll @DoubleRange(min = 0.5, max = 6) double mu,
      @ForAll @DoubleRange(min = 0, max = 1) double share) {
    double epsilon = share * mu * mu;
    double expected = tail(epsilon / mu - mu / 2) - Math.exp(epsilon) * tail(epsilon / mu + mu / 2);
    GaussianDp dp = GaussianDp.of(Mu.of(mu));
    double up = dp.delta(Epsilon.of(epsilon)).value();
    assertThat(up).isCloseTo(expected, within(1e-11));
    assertThat(dp.deltaAtMost(Epsilon.of(epsilon))).isLessThanOrEqualTo(up);
    assertThat(Math.exp(HockeyStick.logDelta(mu, epsilon, 0))).isCloseTo(expected, within(1e-11));
  }

  /** At δ = 0 there is no ε but for no loss; at δ = 1 there is always 0. */
  @Test
  void theEndsOfDelta_areWhatTheyMean() {
    assertThat(GaussianDp.NONE.epsilon(Delta.of(0))).isEqualTo(Epsilon.of(0));
    assertThat(GaussianDp.NONE.epsilonAtMost(Delta.of(0))).isEqualTo(Epsilon.of(0));
    assertThat(GaussianDp.NONE.delta(Epsilon.of(0))).isEqualTo(Delta.of(0));
    GaussianDp some = GaussianDp.of(Mu.of(3));
    assertThat(some.epsilon(Delta.of(1))).isEqualTo(Epsilon.of(0));
    for (boolean up : new boolean[] {true, false}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ask(some, up))
          .withMessage("mu above 0 has no epsilon at a delta of 0");
    }
  }

  private static Epsilon ask(GaussianDp dp, boolean up) {
    return up ? dp.epsilon(Delta.of(0)) : dp.epsilonAtMost(Delta.of(0));
  }

  /** Group privacy and post-processing have no say in μ: a pure release's μ inverts its odds. */
  @ParameterizedTest
  @CsvSource({"1e-6", "0.01", "0.5", "1", "1.999", "2.001", "8", "30"})
  void theMuOfAPureRelease_hasItsOdds(double epsilon) {
    double mu = GaussianDp.ofPure(Epsilon.of(epsilon)).mu().value();
    double logOdds = Math.log(1 - tail(mu / 2)) - Math.log(tail(mu / 2));
    // 1 − Φ and its logarithm are good to 1e-15 each.
    assertThat(logOdds).isCloseTo(epsilon, within(1e-14 + 1e-13 * epsilon));
    // Randomised response lies on the curve: its δ at every ε' is no more than μ's.
    double likely = 1 / (1 + Math.exp(-epsilon));
    for (double share : new double[] {0, 0.3, 0.9}) {
      double at = share * epsilon;
      double ofResponse = likely - Math.exp(at) * (1 - likely);
      assertThat(GaussianDp.of(Mu.of(mu)).delta(Epsilon.of(at)).value())
          .isGreaterThanOrEqualTo(ofResponse * (1 - 1e-9) - 1e-16);
    }
  }
}
