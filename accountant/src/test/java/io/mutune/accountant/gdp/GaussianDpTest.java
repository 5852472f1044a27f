package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GaussianDpTest {
  private static final Delta DELTA = Delta.of(1e-5);

  private static GaussianDp of(double mu) {
    return GaussianDp.of(Mu.of(mu));
  }

  /** Half a unit of the last digit of the published numbers. */
  @ParameterizedTest
  @CsvSource({"0.1, 0.0325208", "0.2, 0.0613341", "0.88, 0.2385677"})
  void muOfABudget_isTheKnownOne(double epsilon, double mu) {
    assertThat(GaussianDp.ofBudget(Epsilon.of(epsilon), DELTA).mu().value())
        .isCloseTo(mu, within(0.5e-7));
  }

  @Test
  void aSweepOfThreeThreeAndOne_composesToTheKnownTotal() {
    GaussianDp tenth = GaussianDp.ofBudget(Epsilon.of(0.1), DELTA);
    GaussianDp fifth = GaussianDp.ofBudget(Epsilon.of(0.2), DELTA);
    GaussianDp last = GaussianDp.ofBudget(Epsilon.of(0.88), DELTA);
    GaussianDp total = GaussianDp.compose(List.of(tenth, tenth, tenth, fifth, fifth, fifth, last));
    assertThat(total.mu().value()).isCloseTo(0.2671572, within(0.5e-7));
    assertThat(total.epsilon(DELTA).value()).isCloseTo(0.9963386, within(0.5e-7));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void aBudgetWithoutAProperDelta_isRefusedWithRuleAndValue(double delta) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.ofBudget(Epsilon.of(1), Delta.of(delta)))
        .withMessage("a budget's delta must be above 0 and below 1; was " + delta);
  }

  /** To a few units in the last place, by what the ε of its neighbours is. */
  @ParameterizedTest
  @CsvSource({"0, 0.1", "0.1, 1e-9", "1, 1e-5", "8, 1e-6"})
  void whatIsStated_isTheSmallestMuThatReachesIt(double epsilon, double delta) {
    Delta at = Delta.of(delta);
    double mu = GaussianDp.ofStated(Epsilon.of(epsilon), at).mu().value();
    double least = epsilon == 0 ? Double.MIN_VALUE : epsilon;
    assertThat(of(mu).epsilon(at).value()).isGreaterThanOrEqualTo(least);
    double less = mu - 32 * Math.ulp(mu);
    assertThat(of(less).epsilonAtMost(at).value()).isLessThan(least);
  }

  /** Where a bound that is right for small ε only would already be above it. */
  @Test
  void aBudgetOfALargeEpsilonAndDelta_isSpentAndNotPassed() {
    Epsilon epsilon = Epsilon.of(2000);
    Delta delta = Delta.of(0.3);
    double mu = GaussianDp.ofBudget(epsilon, delta).mu().value();
    assertThat(of(mu).delta(epsilon).value()).isLessThanOrEqualTo(0.3);
    assertThat(of(mu * (1 + 1e-12)).deltaAtMost(epsilon)).isGreaterThan(0.3);
  }

  @Test
  void anEpsilon_isFiniteUpToTheGreatestMu() {
    assertThat(of(1e154).hasFiniteEpsilon()).isTrue();
    assertThat(of(1e154).epsilon(DELTA).value()).isFinite();
    assertThat(of(Math.nextUp(1e154)).hasFiniteEpsilon()).isFalse();
  }

  @Test
  void aBudgetOfEpsilonZero_stillHasTheMuThatDeltaAllows() {
    // 2Φ(μ/2) − 1 = 0.5 at μ/2 = Φ⁻¹(3/4).
    assertThat(GaussianDp.ofBudget(Epsilon.of(0), Delta.of(0.5)).mu().value())
        .isCloseTo(2 * 0.6744897501960817, within(1e-13));
  }

  @Test
  void epsilon_isZeroWhereDeltaCoversAll() {
    assertThat(of(1).epsilon(Delta.of(0.39))).isEqualTo(Epsilon.of(0));
    assertThat(of(1).epsilonAtMost(Delta.of(0.39))).isEqualTo(Epsilon.of(0));
    assertThat(of(1).epsilon(Delta.of(0.38)).value()).isPositive();
    assertThat(of(40).epsilon(Delta.of(1))).isEqualTo(Epsilon.of(0));
  }

  @Test
  void noLossAtAll_hasNoEpsilonAndNoDelta() {
    assertThat(GaussianDp.NONE.epsilon(Delta.of(0))).isEqualTo(Epsilon.of(0));
    assertThat(GaussianDp.NONE.epsilonAtMost(DELTA)).isEqualTo(Epsilon.of(0));
    assertThat(GaussianDp.NONE.delta(Epsilon.of(0))).isEqualTo(Delta.of(0));
    assertThat(HockeyStick.logDelta(0, 0, 0)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @Test
  void noEpsilon_holdsAtADeltaOfZero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(0.1).epsilon(Delta.of(0)))
        .withMessageContaining("delta of 0");
    assertThatIllegalArgumentException().isThrownBy(() -> of(0.1).epsilonAtMost(Delta.of(0)));
  }

  @Test
  void delta_isNeverAboveOneAndNeverZeroForALoss() {
    assertThat(of(100).delta(Epsilon.of(1))).isEqualTo(Delta.of(1));
    assertThat(of(1e-9).delta(Epsilon.of(1))).isEqualTo(Delta.of(Double.MIN_VALUE));
  }

  @Test
  void aGaussian_costsRootCountTimesSensitivityOverSigma() {
    assertThat(GaussianDp.ofGaussian(NoiseMultiplier.of(20), 2, 25)).isEqualTo(of(0.5));
  }

  @Test
  void aGaussiansMu_isTheNextDoubleAboveTheRoot() {
    double mu = GaussianDp.ofGaussian(NoiseMultiplier.of(1), 1, 2).mu().value();
    // √2 lies between these two neighbours, nearer to the upper one.
    assertThat(mu).isEqualTo(1.4142135623730951);
    double third = GaussianDp.ofGaussian(NoiseMultiplier.of(3), 1, 1).mu().value();
    assertThat(third).isEqualTo(Math.nextUp(1.0 / 3));
  }

  @Test
  void aGaussian_neitherOverflowsNorUnderflowsOnTheWay() {
    assertThat(GaussianDp.ofGaussian(NoiseMultiplier.of(1e300), 1e300, 1_000_000).mu())
        .isEqualTo(Mu.of(1000));
    assertThat(GaussianDp.ofGaussian(NoiseMultiplier.of(1e300), 1e-300, 1).mu())
        .isEqualTo(Mu.of(Double.MIN_VALUE));
  }

  @Test
  void aGaussianWithoutSensitivityOrCount_isRefused() {
    NoiseMultiplier sigma = NoiseMultiplier.of(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.ofGaussian(sigma, 0, 1))
        .withMessage("sensitivity must be finite and above 0; was 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.ofGaussian(sigma, Double.POSITIVE_INFINITY, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.ofGaussian(sigma, 1, 0))
        .withMessage("count must be at least 1; was 0");
  }

  @Test
  void composition_isPythagorassAndRoundedUp() {
    assertThat(GaussianDp.compose(List.of(of(3), of(4)))).isEqualTo(of(5));
    assertThat(GaussianDp.compose(List.of(of(3), of(4), of(1e-300))))
        .isEqualTo(of(Math.nextUp(5.0)));
    assertThat(GaussianDp.compose(List.of(of(3e-300), of(4e-300))).mu().value())
        .isBetween(5e-300, Math.nextUp(5e-300));
    assertThat(GaussianDp.compose(List.of())).isEqualTo(GaussianDp.NONE);
  }

  @Test
  void whatRemains_isRoundedDown() {
    assertThat(of(5).remaining(of(3))).contains(of(4));
    assertThat(of(5).remaining(of(1e-300))).contains(of(Math.nextDown(5.0)));
    assertThat(of(5).remaining(of(5))).contains(GaussianDp.NONE);
    assertThat(of(5).remaining(of(Math.nextUp(5.0)))).isEmpty();
  }
}
