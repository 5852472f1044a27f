package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.PrivacyProfile.At;
import io.mutune.accountant.compare.PrivacyProfile.Errors;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.util.List;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivacyProfileTest {
  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.5, 1, 3, 8})
  void theCurveOfMu_isThatOfTwoNormalDistributionsRoundedDown(double mu) {
    ApproximateGaussianDp dp = new ApproximateGaussianDp(Mu.of(mu), Delta.of(0));
    for (double x : new double[] {1e-6, 0.001, 0.05, 0.3, 0.5, 0.9, 0.999}) {
      double exact = NORMAL.cumulativeProbability(-NORMAL.inverseCumulativeProbability(x) - mu);
      // The reference is good for some 1e-12 of its value, the bound gives a 1e-9 away.
      assertThat(dp.misses(x)).isBetween(exact * (1 - 3e-9), exact);
    }
    assertThat(dp.misses(0)).isEqualTo(1);
    assertThat(dp.misses(1)).isZero();
  }

  @Test
  void withoutAnyLoss_nothingIsBetterThanToGuess() {
    assertThat(ApproximateGaussianDp.NONE.misses(0.25)).isEqualTo(0.75, within(1e-9));
  }

  /** With δ₀ everything is told; a test that waits for that misses no more than 1 − δ₀. */
  @Test
  void aFailureProbability_lowersTheCurveEverywhere() {
    ApproximateGaussianDp dp = new ApproximateGaussianDp(Mu.of(1), Delta.of(0.1));

    assertThat(dp.misses(0)).isEqualTo(0.9, within(1e-9)).isLessThan(0.9);
    assertThat(dp.misses(0.9)).isZero();
    assertThat(dp.misses(0.45)).isEqualTo(0.9 * NORMAL.cumulativeProbability(-1), within(1e-9));
  }

  /** Both errors of a test against (ε, δ): α·e^ε + β ≥ 1 − δ for every ε. */
  @Test
  void theCurve_isTheOneOfTheEpsilonsAndDeltas() {
    ApproximateGaussianDp dp = new ApproximateGaussianDp(Mu.of(1.5), Delta.of(1e-6));
    for (Errors point : PrivacyProfile.of(dp, List.of()).curve()) {
      double line = 0;
      for (int i = 0; i <= 4000; i++) {
        double epsilon = i / 400.0;
        double delta = dp.delta(Epsilon.of(epsilon)).value();
        line = Math.max(line, 1 - delta - Math.exp(epsilon) * point.falseAlarms());
        line = Math.max(line, Math.exp(-epsilon) * (1 - delta - point.falseAlarms()));
      }
      // Lines at 1/400 apart leave less than 1e-5 between themselves and the curve; those with an
      // epsilon above 10 are left out, which matters below alpha = exp(-10).
      assertThat(point.misses()).isBetween(line - 1e-8, line + 1e-5 + Math.exp(-10));
    }
  }

  @Test
  void whatHasNoMu_isStatedByTheLeastBoundOfAllAccountants() {
    Releases releases =
        Releases.of(
            Adjacency.ADD_REMOVE,
            new SubsampledGaussian(NoiseMultiplier.of(2), 0.1, 1, 200),
            new Laplace(3, 1, 1));
    PrivacyProfile profile = PrivacyProfile.of(releases, List.of(Delta.of(2e-7)));

    assertThat(profile.epsilons()).hasSize(8);
    assertThat(profile.epsilons().get(3).delta()).isEqualTo(Delta.of(2e-7));
    double before = 0;
    for (At at : profile.epsilons()) {
      double bound =
          CombinedGuarantee.GUARANTEE.bound(releases, new Query.EpsilonAt(at.delta())).upper();
      assertThat(at.epsilon().orElseThrow().value()).isEqualTo(Math.max(before, bound));
      before = at.epsilon().orElseThrow().value();
    }
    double most = 1;
    for (Errors point : profile.curve()) {
      assertThat(point.misses()).isBetween(0.0, Math.min(most, 1 - point.falseAlarms()));
      most = point.misses();
    }
  }

  /** A bound by lines is never above the exact curve, and near it. */
  @Test
  void theCurveByAccountants_liesBelowTheExactOne() {
    Gaussian gaussian = new Gaussian(NoiseMultiplier.of(1), 1, 1);
    // As good as no more than the Gaussian one: its epsilon is below every digit.
    Laplace nothing = new Laplace(1e9, 1, 1);
    List<Errors> exact = PrivacyProfile.curve(Releases.of(Adjacency.ADD_REMOVE, gaussian));
    List<Errors> bound = PrivacyProfile.curve(Releases.of(Adjacency.ADD_REMOVE, gaussian, nothing));
    for (int i = 0; i < exact.size(); i++) {
      assertThat(bound.get(i).misses())
          .isBetween(exact.get(i).misses() - 0.02, exact.get(i).misses() + 1e-9);
    }
  }

  /** 3000 of these have an ε beyond 1000, and e^1000 is beyond a double. */
  @Test
  void anEpsilonBeyondEveryExponential_stillHasACurve() {
    List<Errors> curve =
        PrivacyProfile.curve(Releases.of(Adjacency.ADD_REMOVE, new Laplace(1, 1, 3000)));

    assertThat(curve.get(0).falseAlarms()).isZero();
    assertThat(curve)
        .hasSizeGreaterThan(1)
        .allMatch(point -> point.misses() >= 0 && point.misses() <= 1);
  }

  @Test
  void whereNothingFiniteIsKnown_thereIsNoEpsilon() {
    ApproximateGaussianDp dp = new ApproximateGaussianDp(Mu.of(1), Delta.of(1e-6));
    assertThat(PrivacyProfile.epsilons(dp, List.of()))
        .filteredOn(at -> at.epsilon().isEmpty())
        .extracting(at -> at.delta().value())
        .containsExactly(1e-6, 1e-7, 1e-8, 1e-9, 1e-10);
  }
}
