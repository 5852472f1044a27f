package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConcentratedTest {
  private static void isRefused(ThrowingCallable making, String message) {
    assertThatIllegalArgumentException().isThrownBy(making).withMessage(message);
  }

  @Test
  void mechanisms_areConcentratedAsTheTheoremsSay() {
    Epsilon epsilon = Epsilon.of(0.4);
    assertThat(ZeroConcentratedDp.ofMu(Mu.of(0.5)).rho()).isCloseTo(0.125, withinPercentage(1e-10));
    assertThat(ZeroConcentratedDp.ofPure(epsilon).rho()).isCloseTo(0.08, withinPercentage(1e-10));
    assertThat(ZeroConcentratedDp.ofBoundedRange(epsilon).rho())
        .isCloseTo(0.02, withinPercentage(1e-10));
  }

  @Test
  void rhos_addUp() {
    ZeroConcentratedDp one = ZeroConcentratedDp.of(0.1);
    assertThat(ZeroConcentratedDp.compose(List.of(one, one, one)).rho())
        .isBetween(0.3, 0.3 * (1 + 1e-13));
    assertThat(ZeroConcentratedDp.compose(List.of()).rho()).isZero();
  }

  @Test
  void countedRhos_areAsManyOfOne() {
    ZeroConcentratedDp one = ZeroConcentratedDp.of(0.1);
    assertThat(one.times(1)).isEqualTo(one);
    assertThat(one.times(3).rho()).isBetween(0.3, 0.3 * (1 + 1e-13));
    isRefused(() -> one.times(0), "count must be at least 1; was 0");
  }

  @Test
  void aRememberedCurve_isTheSameAndComputesEachOrderOnce() {
    AtomicInteger calls = new AtomicInteger();
    RenyiCurve curve =
        order -> {
          calls.incrementAndGet();
          return 0.1 * order;
        };
    RenyiCurve remembered = curve.remembered();
    for (double order : new double[] {2, 3, 2, 2, 3}) {
      assertThat(remembered.at(order)).isEqualTo(0.1 * order);
    }
    assertThat(calls).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void aRhoOutOfRange_isRefused(double rho) {
    isRefused(() -> ZeroConcentratedDp.of(rho), "rho must be finite and at least 0; was " + rho);
    isRefused(
        () -> TruncatedConcentratedDp.of(rho, 2), "rho must be finite and above 0; was " + rho);
    isRefused(() -> PpsgdStep.of(rho, 1, 2), "rho must be finite and above 0; was " + rho);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 0, Double.NaN})
  void anOmegaOutOfRange_isRefused(double omega) {
    isRefused(() -> TruncatedConcentratedDp.of(0.1, omega), "omega must be above 1; was " + omega);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void aDeltaWithoutALogarithm_isRefused(double delta) {
    isRefused(
        () -> TruncatedConcentratedDp.ofBudget(Epsilon.of(1), Delta.of(delta)),
        "delta must be above 0 and below 1; was " + delta);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 10, 11})
  void aBatchThatIsNoSample_isRefused(long batch) {
    isRefused(
        () -> PpsgdStep.of(0.1, batch, 10),
        "a batch must have at least 1 row and fewer than the 10 rows; was " + batch);
  }

  @Test
  void aChargeOfItsOwn_composesUpToItsOmega() {
    RenyiDp charged = RenyiDp.of(new TruncatedConcentrated(0.1, 9, 3), Adjacency.REPLACE_ONE);
    assertThat(charged.curve().at(8)).isBetween(2.4, 2.4 * (1 + 1e-13));
    assertThat(charged.curve().at(9)).isInfinite();
  }

  /** T Gaussian releases are (T/2σ²)-zCDP, so the two charges cost the same. */
  @Test
  void aGaussianChargedAsZeroConcentrated_costsTheSame() {
    Delta delta = Delta.of(1e-5);
    Mechanism gaussian = new Gaussian(NoiseMultiplier.of(20), 1, 100);
    Mechanism concentrated = TruncatedConcentrated.ofZeroConcentrated(1 / 800.0, 100);
    double expected = RenyiDp.of(gaussian, Adjacency.ADD_REMOVE).epsilon(delta).value();
    // Both are rounded up by a few units in the last place a step.
    assertThat(RenyiDp.of(concentrated, Adjacency.ADD_REMOVE).epsilon(delta).value())
        .isCloseTo(expected, withinPercentage(1e-9));
  }

  /** The budget's own formula gives its ε back, from the private side. */
  @Property
  void aBudgetsRho_keepsTheBudget(
      @ForAll @DoubleRange(min = -8, max = 3) double logEpsilon,
      @ForAll @DoubleRange(min = -300, max = -0.1) double logDelta) {
    Epsilon epsilon = Epsilon.of(Math.pow(10, logEpsilon));
    Delta delta = Delta.of(Math.pow(10, logDelta));
    TruncatedConcentratedDp total = TruncatedConcentratedDp.ofBudget(epsilon, delta);
    double log = -Math.log(delta.value());
    assertThat((total.omega() - 1) * Math.sqrt(total.rho())).isGreaterThanOrEqualTo(Math.sqrt(log));
    assertThat(total.rho() + 2 * Math.sqrt(total.rho() * log))
        .isCloseTo(epsilon.value(), withinPercentage(1e-10));
    assertThat(RenyiDp.of(total.curve()).epsilon(delta).value())
        .isLessThanOrEqualTo(epsilon.value());
  }
}
