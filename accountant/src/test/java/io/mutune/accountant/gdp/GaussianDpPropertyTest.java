package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;

/** What holds for every μ, ε and δ, far beyond those of any study. */
class GaussianDpPropertyTest {
  @Provide
  Arbitrary<GaussianDp> losses() {
    return powersOfTen(-9, 4).map(mu -> GaussianDp.of(Mu.of(mu)));
  }

  @Provide
  Arbitrary<Epsilon> epsilons() {
    return powersOfTen(-12, 8).map(Epsilon::of);
  }

  /** From 1e-300 to 1 − 1e-12, thinly at both ends. */
  @Provide
  Arbitrary<Delta> deltas() {
    return Arbitraries.oneOf(
            powersOfTen(-300, -12), powersOfTen(-12, -0.1), powersOfTen(-12, -1).map(d -> 1 - d))
        .map(Delta::of);
  }

  private static Arbitrary<Double> powersOfTen(double low, double high) {
    return Arbitraries.doubles().between(low, high).ofScale(6).map(x -> Math.pow(10, x));
  }

  @Property
  void aBudgetsMu_keepsTheBudget(
      @ForAll("epsilons") Epsilon epsilon, @ForAll("deltas") Delta delta) {
    GaussianDp largest = GaussianDp.ofBudget(epsilon, delta);
    assertThat(largest.mu().value()).isPositive();
    assertThat(largest.epsilon(delta).value()).isLessThanOrEqualTo(epsilon.value());
    assertThat(largest.delta(epsilon).value()).isLessThanOrEqualTo(Math.nextUp(delta.value()));
  }

  @Property
  void aLittleMoreThanABudgetsMu_breaksTheBudget(
      @ForAll("epsilons") Epsilon epsilon, @ForAll("deltas") Delta delta) {
    double more = GaussianDp.ofBudget(epsilon, delta).mu().value() * (1 + 1e-10);
    assertThat(HockeyStick.logDeltaDown(more, epsilon.value()))
        .isGreaterThan(Math.log(delta.value()));
  }

  @Property
  void anythingWithinABudgetsMu_printsNoMoreThanTheBudget(
      @ForAll("epsilons") Epsilon epsilon,
      @ForAll("deltas") Delta delta,
      @ForAll @DoubleRange(min = 0, max = 100) double ulps) {
    double mu = GaussianDp.ofBudget(epsilon, delta).mu().value() * (1 - ulps * 0x1p-52);
    assertThat(GaussianDp.of(Mu.of(mu)).epsilon(delta).value())
        .isLessThanOrEqualTo(epsilon.value());
  }

  @Property
  void anEpsilonAtMost_isAtMostTheEpsilonAndCloseToIt(
      @ForAll("losses") GaussianDp loss, @ForAll("deltas") Delta delta) {
    double epsilon = loss.epsilon(delta).value();
    double atMost = loss.epsilonAtMost(delta).value();
    assertThat(atMost).isNotNegative().isLessThanOrEqualTo(epsilon);
    assertThat(epsilon - atMost).isLessThanOrEqualTo(Math.max(1e-10 * epsilon, 1e-13));
  }

  @Property
  void bothEpsilons_lieOnTheirSideOfTheRoot(
      @ForAll("losses") GaussianDp loss, @ForAll("deltas") Delta delta) {
    double mu = loss.mu().value();
    double logDelta = Math.log(delta.value());
    assertThat(HockeyStick.logDeltaUp(mu, loss.epsilon(delta).value()))
        .isLessThanOrEqualTo(logDelta);
    double atMost = loss.epsilonAtMost(delta).value();
    Assume.that(atMost > 0);
    assertThat(HockeyStick.logDeltaDown(mu, atMost)).isGreaterThanOrEqualTo(logDelta);
  }

  @Property
  void whatARunOfTheEpsilonAtMostCosts_isWithinTheLoss(
      @ForAll("losses") GaussianDp loss, @ForAll("deltas") Delta delta) {
    Epsilon epsilon = loss.epsilonAtMost(delta);
    // Where ε is 0 already, δ allows for more than this loss.
    Assume.that(epsilon.value() > 0);
    assertThat(GaussianDp.ofBudget(epsilon, delta).mu().value())
        .isLessThanOrEqualTo(loss.mu().value());
  }

  @Property
  void moreLoss_costsMoreEpsilonAndMoreDelta(
      @ForAll("losses") GaussianDp loss,
      @ForAll("epsilons") Epsilon epsilon,
      @ForAll("deltas") Delta delta) {
    GaussianDp more = GaussianDp.of(Mu.of(loss.mu().value() * 1.001));
    assertThat(more.epsilon(delta).value()).isGreaterThanOrEqualTo(loss.epsilon(delta).value());
    assertThat(more.delta(epsilon).value()).isGreaterThanOrEqualTo(loss.delta(epsilon).value());
    assertThat(loss.delta(Epsilon.of(epsilon.value() * 1.001)).value())
        .isLessThanOrEqualTo(loss.delta(epsilon).value());
    assertThat(loss.epsilon(Delta.of(delta.value() * 0.999)).value())
        .isGreaterThanOrEqualTo(loss.epsilon(delta).value());
  }

  @Property
  void nothing_isEverNotANumber(
      @ForAll @DoubleRange(min = -307, max = 150) double logMu,
      @ForAll @DoubleRange(min = -307, max = 307) double logEpsilon) {
    double mu = Math.pow(10, logMu);
    double epsilon = Math.pow(10, logEpsilon);
    double log = HockeyStick.logDelta(mu, epsilon, 0);
    assertThat(log).isNotNaN().isNotPositive();
    assertThat(HockeyStick.logDeltaUp(mu, epsilon)).isGreaterThanOrEqualTo(log);
    assertThat(HockeyStick.logDeltaDown(mu, epsilon)).isLessThanOrEqualTo(log);
    assertThat(GaussianDp.of(Mu.of(mu)).epsilon(Delta.of(1e-5)).value()).isNotNegative();
    assertThat(GaussianDp.ofBudget(Epsilon.of(epsilon), Delta.of(1e-5)).mu().value()).isPositive();
  }
}
