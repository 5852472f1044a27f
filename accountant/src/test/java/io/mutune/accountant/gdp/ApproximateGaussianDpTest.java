package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class ApproximateGaussianDpTest {
  private static ApproximateGaussianDp dp(double mu, double delta0) {
    return new ApproximateGaussianDp(Mu.of(mu), Delta.of(delta0));
  }

  @Property(tries = 200)
  void withoutDelta0_everyFigureIsTheGaussiansToTheLastBit(
      @ForAll @DoubleRange(min = -3, max = 0.9) double logMu,
      @ForAll @DoubleRange(min = -3, max = 0.9) double logOther,
      @ForAll @DoubleRange(min = -9, max = -1) double logDelta) {
    GaussianDp gaussian = GaussianDp.of(Mu.of(Math.pow(10, logMu)));
    ApproximateGaussianDp same = ApproximateGaussianDp.of(gaussian);
    Delta d = Delta.of(Math.pow(10, logDelta));
    Epsilon epsilon = gaussian.epsilon(d);
    assertThat(same.epsilon(d)).isEqualTo(epsilon);
    assertThat(same.delta(epsilon)).isEqualTo(gaussian.delta(epsilon));
    assertThat(ApproximateGaussianDp.ofBudget(epsilon, d, Delta.of(0)).gaussian())
        .isEqualTo(GaussianDp.ofBudget(epsilon, d));
    GaussianDp second = GaussianDp.of(Mu.of(Math.pow(10, logOther)));
    assertThat(ApproximateGaussianDp.compose(List.of(same, ApproximateGaussianDp.of(second))))
        .isEqualTo(ApproximateGaussianDp.of(GaussianDp.compose(List.of(gaussian, second))));
    assertThat(same.remaining(ApproximateGaussianDp.of(second)).map(r -> r.gaussian()))
        .isEqualTo(gaussian.remaining(second));
  }

  @Property(tries = 200)
  void epsilonAndDelta_areEachOthersInverse_onThePrivateSide(
      @ForAll @DoubleRange(min = -3, max = 0.7) double logMu,
      @ForAll @DoubleRange(min = -12, max = -3) double logDelta0,
      @ForAll @DoubleRange(min = 1.1, max = 100) double factor) {
    double mu = Math.pow(10, logMu);
    double delta0 = Math.pow(10, logDelta0);
    ApproximateGaussianDp dp = dp(mu, delta0);
    Delta delta = Delta.of(delta0 * factor);
    Epsilon epsilon = dp.epsilon(delta);
    // The room that rounding up takes twice, where an ulp of ε moves δ by a few of its own.
    if (epsilon.value() > 0) {
      assertThat(dp.delta(epsilon).value()).isCloseTo(delta.value(), within(1e-10 * delta.value()));
      assertThat(ApproximateGaussianDp.ofBudget(epsilon, delta, Delta.of(delta0)).mu().value())
          .isCloseTo(mu, within(1e-9 * mu));
    }
  }

  @Property(tries = 200)
  void composing_roundsUp_andWhatRemainsRoundsDown(
      @ForAll @DoubleRange(min = -12, max = -0.5) double logFirst,
      @ForAll @DoubleRange(min = -12, max = -0.5) double logSecond) {
    double first = Math.pow(10, logFirst);
    double second = Math.pow(10, logSecond);
    ApproximateGaussianDp both =
        ApproximateGaussianDp.compose(List.of(dp(1, first), dp(1, second)));
    BigDecimal exact = new BigDecimal(first).add(new BigDecimal(second));
    assertThat(new BigDecimal(both.delta0().value())).isGreaterThanOrEqualTo(exact);
    assertThat(new BigDecimal(Math.nextDown(both.delta0().value()))).isLessThan(exact);
    assertThat(both.covers(dp(1, first))).isTrue();
    ApproximateGaussianDp left = both.remaining(dp(1, first)).orElseThrow();
    assertThat(new BigDecimal(left.delta0().value()).add(new BigDecimal(first)))
        .isLessThanOrEqualTo(new BigDecimal(both.delta0().value()));
  }

  @Test
  void nothingRemains_whereEitherFigureIsPassed() {
    assertThat(dp(1, 1e-6).remaining(dp(0.5, 2e-6))).isEmpty();
    assertThat(dp(1, 1e-6).remaining(dp(1.5, 1e-7))).isEmpty();
    assertThat(dp(1, 1e-6).remaining(dp(1, 1e-6))).contains(dp(0, 0));
    assertThat(dp(1, 1e-6).covers(dp(0.5, 2e-6))).isFalse();
    assertThat(dp(1, 1e-6).covers(dp(1.5, 1e-7))).isFalse();
  }

  @Test
  void noEpsilonBelowDelta0_andItIsSaid() {
    assertThatThrownBy(() -> dp(1, 1e-5).epsilon(Delta.of(1e-6)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no more than delta0 1.0E-5");
    assertThatThrownBy(() -> dp(1, 1e-5).epsilon(Delta.of(1e-5)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(dp(0, 1e-5).epsilon(Delta.of(1e-5)).value()).isZero();
    assertThatThrownBy(
            () -> ApproximateGaussianDp.ofBudget(Epsilon.of(1), Delta.of(1e-5), Delta.of(1e-5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("delta0 must be below delta 1.0E-5");
  }

  @Test
  void theProfile_isThatOfRevealingAllWithProbabilityDelta0() {
    // The closed form has tests of its own.
    double gaussian = GaussianDp.of(Mu.of(0.5)).delta(Epsilon.of(1)).value();
    double exact = 0.01 + 0.99 * gaussian;
    assertThat(dp(0.5, 0.01).delta(Epsilon.of(1)).value()).isBetween(exact, exact * (1 + 1e-14));
  }
}
