package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import org.junit.jupiter.api.Test;

class CombinedGuaranteeTest {
  private static final Query AT_1E5 = new EpsilonAt(Delta.of(1e-5));
  private static final Gaussian GAUSSIAN = new Gaussian(NoiseMultiplier.of(20), 1, 28);
  private static final SubsampledGaussian DP_SGD =
      new SubsampledGaussian(NoiseMultiplier.of(1), 0.01, 1, 1000);

  private static Bound bound(Query query, Mechanism... mechanisms) {
    return CombinedGuarantee.GUARANTEE.bound(Releases.of(Adjacency.ADD_REMOVE, mechanisms), query);
  }

  @Test
  void gaussians_haveTheClosedForm() {
    // σ = 20, T = 28, δ = 1e-5, from the notes on the oracle.
    Bound bound = bound(AT_1E5, GAUSSIAN);
    assertThat(bound.upper()).isBetween(0.98577047, 0.98577048);
    assertThat(bound.upper() - bound.lower()).isBetween(0.0, 1e-12);
  }

  @Test
  void dpSgd_hasTheLossDistributionsEpsilonBetweenItsEnds() {
    Bound bound = bound(AT_1E5, DP_SGD);
    assertThat(bound.upper()).isBetween(1.8282, 1.8283);
    assertThat(bound.lower()).isBetween(1.80, bound.upper());
  }

  @Test
  void exponentialMechanisms_haveLessThanTheWorstPureOnesAndNoContradiction() {
    ExponentialMechanism choices = new ExponentialMechanism(Epsilon.of(0.1), 10);
    Bound bound = bound(AT_1E5, choices, GAUSSIAN);
    assertThat(bound.lower()).isBetween(0.98577, 0.98578);
    assertThat(bound.upper()).isBetween(1.26, 1.27);
  }

  @Test
  void aDeltaBelowTheFailure_hasNoFiniteEpsilon() {
    Bound bound = bound(AT_1E5, new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-4), 1), GAUSSIAN);
    assertThat(bound.lower()).isInfinite();
    assertThat(bound.isFinite()).isFalse();
  }

  @Test
  void noAccountantAtAll_guaranteesNothing() {
    ApproximateDp run = new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-7), 1);
    RepeatAndSelect failing = new RepeatAndSelect(run, new PoissonTrials(3));
    // One has no Rényi curve, the other no dominating pair.
    Mechanism concentrated = TruncatedConcentrated.ofZeroConcentrated(0.001, 1);
    assertThat(bound(AT_1E5, failing, concentrated))
        .isEqualTo(new Bound(0, Double.POSITIVE_INFINITY));
    assertThat(bound(new DeltaAt(Epsilon.of(1)), failing, concentrated)).isEqualTo(new Bound(0, 1));
  }
}
