package io.mutune.accountant.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is nonsense is an error that names the rule and the value. */
class MechanismRangesTest {
  private static final NoiseMultiplier SIGMA = NoiseMultiplier.of(1);

  private static void isRefused(ThrowingCallable making, String message) {
    assertThatIllegalArgumentException().isThrownBy(making).withMessage(message);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 0, 1.0000000001, Double.NaN})
  void aSamplingRateOutOfRange_isRefused(double rate) {
    String message = "the sampling rate must be above 0 and at most 1; was " + rate;
    isRefused(() -> new SubsampledGaussian(SIGMA, rate, 1.0, 1), message);
    isRefused(() -> new SubsampledLaplace(1.0, rate, 1.0, 1), message);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, 0, Double.NaN, Double.POSITIVE_INFINITY})
  void aSizeOutOfRange_isRefused(double size) {
    String rule = " must be finite and above 0; was " + size;
    isRefused(() -> new SubsampledGaussian(SIGMA, 0.1, size, 1), "sensitivity" + rule);
    isRefused(() -> new Laplace(1.0, size, 1), "sensitivity" + rule);
    isRefused(() -> new Laplace(size, 1.0, 1), "scale" + rule);
    isRefused(() -> new SubsampledLaplace(size, 0.1, 1.0, 1), "scale" + rule);
    isRefused(() -> new PoissonTrials(size), "mean" + rule);
    isRefused(() -> new TruncatedConcentrated(size, 2, 1), "rho" + rule);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aCountBelowOne_isRefused(long count) {
    String message = "count must be at least 1; was " + count;
    Epsilon one = Epsilon.of(1);
    isRefused(() -> new SubsampledGaussian(SIGMA, 0.1, 1.0, count), message);
    isRefused(() -> new Laplace(1.0, 1.0, count), message);
    isRefused(() -> new SubsampledLaplace(1.0, 0.1, 1.0, count), message);
    isRefused(() -> new ExponentialMechanism(one, count), message);
    isRefused(() -> new RandomizedResponse(one, count), message);
    isRefused(() -> new PureDp(one, count), message);
    isRefused(() -> new ApproximateDp(one, Delta.of(0.1), count), message);
    isRefused(() -> new TruncatedConcentrated(1, 2, count), message);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, 0, 1, Double.NaN, Double.NEGATIVE_INFINITY})
  void anOmegaWithoutAnOrderBelowIt_isRefused(double omega) {
    isRefused(() -> new TruncatedConcentrated(1, omega, 1), "omega must be above 1; was " + omega);
  }

  /** A ledger has the other name for it, so one of the two is wrong. */
  @Test
  void anInfiniteOmegaInALedger_isRefused() {
    isRefused(
        () ->
            Mechanism.of(
                "truncated-concentrated",
                java.util.Map.of("rho", 1, "omega", Double.POSITIVE_INFINITY, "count", 1)),
        "omega must be finite in a ledger; was Infinity");
  }

  @Test
  void anEpsilonOfZero_isNoPureMechanism() {
    String message = "epsilon must be finite and above 0; was 0.0";
    Epsilon zero = Epsilon.of(0);
    isRefused(() -> new ExponentialMechanism(zero, 1), message);
    isRefused(() -> new RandomizedResponse(zero, 1), message);
    isRefused(() -> new PureDp(zero, 1), message);
  }

  @Test
  void anEpsilonThatIsNotFinite_isRefused() {
    isRefused(
        () -> new Laplace(1e-300, 1e300, 1), "epsilon must be finite and at least 0; was Infinity");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void aFailureThatNeverOrAlwaysHappens_isRefused(double delta) {
    isRefused(
        () -> new ApproximateDp(Epsilon.of(1), Delta.of(delta), 1),
        "a mechanism's delta must be above 0 and below 1; was " + delta);
  }

  @Test
  void aFailureWithoutAnotherLoss_isAllowed() {
    assertThat(new ApproximateDp(Epsilon.of(0), Delta.of(0.1), 1).mu()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, -2, Double.NaN, Double.POSITIVE_INFINITY})
  void aShapeOutOfRange_isRefused(double shape) {
    isRefused(
        () -> new TruncatedNegativeBinomial(shape, 0.5),
        "shape must be finite and above -1; was " + shape);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.5, Double.NaN})
  void aGammaOutOfRange_isRefused(double gamma) {
    isRefused(
        () -> new TruncatedNegativeBinomial(1, gamma),
        "gamma must be above 0 and below 1; was " + gamma);
  }
}
