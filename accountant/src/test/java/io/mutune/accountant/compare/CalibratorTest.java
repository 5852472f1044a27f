package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CalibratorTest {
  private static final Epsilon ONE = Epsilon.of(1);
  private static final Delta DELTA = Delta.of(1e-5);

  /** A hair, well beyond the search's accuracy and any wobble of the accountants. */
  private static final double A_LITTLE = 1e-5;

  /** All that take a sampled Gaussian. */
  static Stream<AccountingMethod> forSamples() {
    return Stream.of(
        CombinedGuarantee.GUARANTEE,
        Accountant.PLD,
        Accountant.RDP,
        Accountant.ADVANCED,
        Accountant.BASIC);
  }

  static Stream<AccountingMethod> all() {
    return Stream.concat(Stream.of(CombinedGuarantee.GUARANTEE), Stream.of(Accountant.values()));
  }

  private static Calibrator calibrator(AccountingMethod method) {
    return new Calibrator(method, ONE, DELTA);
  }

  private static Releases releases(Mechanism... mechanisms) {
    return Releases.of(Adjacency.ADD_REMOVE, mechanisms);
  }

  private static Releases dpSgd(double sigma, double rate, long steps) {
    return releases(new SubsampledGaussian(NoiseMultiplier.of(sigma), rate, 1, steps));
  }

  private static Releases gaussian(double sigma, long count) {
    return releases(new Gaussian(NoiseMultiplier.of(sigma), 1, count));
  }

  @ParameterizedTest
  @MethodSource("forSamples")
  void theLeastNoiseForSamples_keepsTheBudgetAndALittleLessDoesNot(AccountingMethod method) {
    double sigma = calibrator(method).noise(s -> dpSgd(s, 0.01, 1000)).value();
    assertThat(method.keeps(dpSgd(sigma, 0.01, 1000), ONE, DELTA)).isTrue();
    assertThat(method.keeps(dpSgd(sigma * (1 - A_LITTLE), 0.01, 1000), ONE, DELTA)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("all")
  void theLeastNoiseForAllRows_keepsTheBudgetAndALittleLessDoesNot(AccountingMethod method) {
    double sigma = calibrator(method).noise(s -> gaussian(s, 100)).value();
    assertThat(method.keeps(gaussian(sigma, 100), ONE, DELTA)).isTrue();
    assertThat(method.keeps(gaussian(sigma * (1 - A_LITTLE), 100), ONE, DELTA)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("all")
  void theLargestCount_keepsTheBudgetAndOneMoreDoesNot(AccountingMethod method) {
    long count = calibrator(method).largestCount(t -> gaussian(50, t));
    assertThat(count).isPositive();
    assertThat(method.keeps(gaussian(50, count), ONE, DELTA)).isTrue();
    assertThat(method.keeps(gaussian(50, count + 1), ONE, DELTA)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("forSamples")
  void theLargestRate_keepsTheBudgetAndALittleMoreDoesNot(AccountingMethod method) {
    double rate = calibrator(method).samplingRate(q -> dpSgd(2, q, 1000));
    assertThat(rate).isBetween(1e-6, 0.1);
    assertThat(method.keeps(dpSgd(2, rate, 1000), ONE, DELTA)).isTrue();
    assertThat(method.keeps(dpSgd(2, rate * (1 + A_LITTLE), 1000), ONE, DELTA)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("all")
  void theFinalShare_keepsTheBudgetAndALittleMoreDoesNot(AccountingMethod method) {
    Releases charges =
        releases(new Gaussian(NoiseMultiplier.of(100), 1, 1), new Laplace(100, 1, 3));
    double mu = calibrator(method).finalShare(charges).orElseThrow().value();
    assertThat(method.keeps(charges.plus(run(mu)), ONE, DELTA)).isTrue();
    assertThat(method.keeps(charges.plus(run(mu * (1 + A_LITTLE))), ONE, DELTA)).isFalse();
  }

  private static Gaussian run(double mu) {
    return new Gaussian(NoiseMultiplier.of(1), mu, 1);
  }

  /** The search stops within 1e-12 of the closed form, which is exact. */
  @ParameterizedTest
  @CsvSource({"0.01, 1e-5, 100", "1, 1e-6, 1", "8, 1e-10, 1000000", "1e-4, 1e-3, 7"})
  void gaussianCalibration_isTheClosedForms(double epsilon, double delta, long count) {
    Calibrator guarantee =
        new Calibrator(CombinedGuarantee.GUARANTEE, Epsilon.of(epsilon), Delta.of(delta));
    NoiseMultiplier exact = Calibration.noise(Epsilon.of(epsilon), Delta.of(delta), 1, count);
    assertThat(guarantee.noise(s -> gaussian(s, count)).value())
        .isBetween(exact.value(), exact.value() * (1 + 2e-12));
    Mu cap = GaussianDp.ofBudget(Epsilon.of(epsilon), Delta.of(delta)).mu();
    assertThat(guarantee.finalShare(releases()).orElseThrow().value())
        .isBetween(cap.value() * (1 - 2e-12), cap.value());
    long most = guarantee.largestCount(t -> gaussian(1000, t));
    NoiseMultiplier sigma = NoiseMultiplier.of(1000);
    assertThat(GaussianDp.ofGaussian(sigma, 1, most).mu().value()).isLessThanOrEqualTo(cap.value());
    assertThat(GaussianDp.ofGaussian(sigma, 1, most + 1).mu().value()).isGreaterThan(cap.value());
  }

  @Test
  void theGuarantee_neverNeedsMoreNoiseThanAnAccountant() {
    double least = calibrator(CombinedGuarantee.GUARANTEE).noise(s -> dpSgd(s, 0.02, 500)).value();
    for (AccountingMethod method : List.of(Accountant.PLD, Accountant.RDP, Accountant.ADVANCED)) {
      assertThat(least)
          .isLessThanOrEqualTo(
              calibrator(method).noise(s -> dpSgd(s, 0.02, 500)).value() * (1 + 2e-12));
    }
  }

  /** Basic composition has its edge at 1, a hair before that of the numerical one. */
  @Test
  void theGuaranteesEdge_isTheTightestAccountants() {
    Calibrator calibrator = calibrator(CombinedGuarantee.GUARANTEE);
    double scale = calibrator.noise(s -> releases(new Laplace(s, 1, 1))).value();
    double own = 1 / scale;
    assertThat(own).isGreaterThan(1 + 1e-6);
    Releases more = releases(new Laplace(scale * (1 - 1e-9), 1, 1));
    assertThat(CombinedGuarantee.GUARANTEE.keeps(more, ONE, DELTA)).isFalse();
  }

  @Test
  void chargesThatUseUpTheBudget_leaveNoFinalShare() {
    assertThat(calibrator(CombinedGuarantee.GUARANTEE).finalShare(releases(run(1)))).isEmpty();
    assertThat(calibrator(Accountant.RDP).finalShare(releases(new PureDp(Epsilon.of(9), 1))))
        .isEmpty();
  }

  @Test
  void aBudgetThatNoNoiseKeeps_isRefusedWithTheReason() {
    Releases rest = releases(new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-4), 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calibrator(Accountant.RDP).noise(s -> rest))
        .withMessageStartingWith("no noise multiplier up to ")
        .withMessageContaining("keeps epsilon 1.0 at delta 1.0E-5 by rdp: ")
        .withMessageContaining("delta is not above the probability of failure");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calibrator(Accountant.ZCDP).noise(s -> dpSgd(s, 0.1, 1)))
        .withMessageContaining("by zcdp: zCDP is not amplified by sampling");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                calibrator(CombinedGuarantee.GUARANTEE)
                    .noise(s -> releases(new PureDp(Epsilon.of(9), 1))))
        .withMessageEndingWith("keeps epsilon 1.0 at delta 1.0E-5 by guarantee");
  }

  @Test
  void aBudgetThatNoRateKeeps_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                calibrator(Accountant.RDP)
                    .samplingRate(q -> releases(new PureDp(Epsilon.of(9), 1))))
        .withMessageStartingWith("no sampling rate down to ");
  }

  @Test
  void whatCostsNothing_needsNextToNoNoiseAndFitsAlways() {
    Calibrator rdp = calibrator(Accountant.RDP);
    assertThat(rdp.noise(s -> releases()).value()).isLessThan(1e-9);
    assertThat(rdp.largestCount(t -> releases())).isEqualTo(Long.MAX_VALUE);
    assertThat(rdp.samplingRate(q -> dpSgd(500, q, 100))).isEqualTo(1);
  }

  @Test
  void aReleaseThatIsTooDear_fitsNever() {
    assertThat(calibrator(Accountant.RDP).largestCount(t -> releases(new PureDp(Epsilon.of(9), t))))
        .isZero();
  }

  @ParameterizedTest
  @CsvSource({"0.01, 0.1", "8, 0.5", "1e5, 1"})
  void renyiNoise_isFoundForSmallAndLargeBudgets(double epsilon, double rate) {
    Calibrator calibrator = new Calibrator(Accountant.RDP, Epsilon.of(epsilon), DELTA);
    double sigma = calibrator.noise(s -> dpSgd(s, rate, 100)).value();
    assertThat(Accountant.RDP.keeps(dpSgd(sigma, rate, 100), Epsilon.of(epsilon), DELTA)).isTrue();
    assertThat(
            Accountant.RDP.keeps(
                dpSgd(sigma * (1 - A_LITTLE), rate, 100), Epsilon.of(epsilon), DELTA))
        .isFalse();
  }

  @Test
  void budgetsThatAreNone_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Calibrator(Accountant.RDP, Epsilon.of(0), DELTA))
        .withMessage("a budget's epsilon must be above 0; was 0.0");
    for (double delta : new double[] {0, 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Calibrator(Accountant.RDP, ONE, Delta.of(delta)))
          .withMessage("a budget's delta must be above 0 and below 1; was " + delta);
    }
  }
}
