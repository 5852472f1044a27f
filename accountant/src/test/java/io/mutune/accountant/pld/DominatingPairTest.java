package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which pair stands for which mechanism, under which neighbours, rounded to which side. */
class DominatingPairTest {
  private static Part pair(Mechanism mechanism, Adjacency adjacency) {
    return DominatingPair.of(mechanism, adjacency).orElseThrow();
  }

  private static NoiseMultiplier sigma(double value) {
    return NoiseMultiplier.of(value);
  }

  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void pureMechanisms_areRandomisedResponseWhateverTheNeighbours(Adjacency adjacency) {
    PrivacyLoss response = new RandomisedResponseLoss(0.5, 0);
    for (Mechanism mechanism :
        List.of(
            new PureDp(Epsilon.of(0.5), 7),
            new RandomizedResponse(Epsilon.of(0.5), 7),
            new ExponentialMechanism(Epsilon.of(0.5), 7))) {
      assertThat(pair(mechanism, adjacency)).isEqualTo(new Part(response, 7));
    }
    assertThat(pair(new ApproximateDp(Epsilon.of(0.5), Delta.of(1e-3), 7), adjacency))
        .isEqualTo(new Part(new RandomisedResponseLoss(0.5, 1e-3), 7));
  }

  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void aGaussian_isOneWithAllItsReleases(Adjacency adjacency) {
    Part part = pair(new Gaussian(sigma(2), 3, 16), adjacency);
    assertThat(part).isEqualTo(new Part(new GaussianLoss(6), 1));
  }

  /** μ = √n·Δ/σ is rounded up, so that μ² is at least n·Δ²/σ² exactly. */
  @ParameterizedTest
  @CsvSource({"3, 1, 1", "0.7, 0.1, 3", "1.1, 7, 1000", "1e8, 1e-3, 17"})
  void aGaussiansMu_isNotBelowTheExactOne(double noise, double sensitivity, long count) {
    GaussianLoss loss =
        (GaussianLoss)
            pair(new Gaussian(sigma(noise), sensitivity, count), Adjacency.ADD_REMOVE).loss();
    BigDecimal product = new BigDecimal(loss.mu()).multiply(new BigDecimal(noise));
    BigDecimal exact = new BigDecimal(sensitivity).pow(2).multiply(BigDecimal.valueOf(count));
    assertThat(product.pow(2)).isGreaterThanOrEqualTo(exact);
    BigDecimal before =
        new BigDecimal(Math.nextDown(Math.nextDown(loss.mu()))).multiply(new BigDecimal(noise));
    assertThat(before.pow(2)).isLessThan(exact);
  }

  @Test
  void laplace_isOfItsSensitivityInScales() {
    assertThat(pair(new Laplace(4, 2, 5), Adjacency.REPLACE_ONE))
        .isEqualTo(new Part(new LaplaceLoss(0.5), 5));
    LaplaceLoss rounded = (LaplaceLoss) pair(new Laplace(3, 1, 5), Adjacency.ADD_REMOVE).loss();
    assertThat(new BigDecimal(rounded.epsilon()).multiply(BigDecimal.valueOf(3)))
        .isGreaterThanOrEqualTo(BigDecimal.ONE);
  }

  @Test
  void samples_areMixturesUnderAddRemove() {
    assertThat(pair(new SubsampledGaussian(sigma(2), 0.25, 1, 9), Adjacency.ADD_REMOVE))
        .isEqualTo(new Part(new PoissonSubsampledLoss(new GaussianLoss(0.5), 0.25), 9));
    assertThat(pair(new SubsampledLaplace(2, 0.25, 1, 9), Adjacency.ADD_REMOVE))
        .isEqualTo(new Part(new PoissonSubsampledLoss(new LaplaceLoss(0.5), 0.25), 9));
  }

  /** A row's vector and its opposite are the sensitivity apart: each is half of it long. */
  @ParameterizedTest
  @CsvSource({"1.5, 2", "3, 1", "0.1, 0.3", "1e6, 7"})
  void aReplacedRowsNoise_isAtMostTheExactOne(double noise, double sensitivity) {
    Part part =
        pair(new SubsampledGaussian(sigma(noise), 0.25, sensitivity, 4), Adjacency.REPLACE_ONE);
    ReplaceOneLoss loss = (ReplaceOneLoss) part.loss();
    BigDecimal product = new BigDecimal(loss.sigma()).multiply(new BigDecimal(sensitivity));
    BigDecimal exact = new BigDecimal(noise).multiply(BigDecimal.valueOf(2));
    assertThat(product).isLessThan(exact);
    assertThat(loss.sigma()).isGreaterThan(2 * noise / sensitivity * (1 - 1e-15));
    assertThat(part.count()).isEqualTo(4);
    assertThat(loss.q()).isEqualTo(0.25);
  }

  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void aSampleOfAllRows_isNoSample(Adjacency adjacency) {
    assertThat(pair(new SubsampledGaussian(sigma(2), 1, 1, 4), adjacency))
        .isEqualTo(pair(new Gaussian(sigma(2), 1, 4), adjacency));
    assertThat(pair(new SubsampledLaplace(2, 1, 1, 4), adjacency))
        .isEqualTo(pair(new Laplace(2, 1, 4), adjacency));
  }

  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void concentration_hasNoPairAndSaysSo_alsoWithinASelection(Adjacency adjacency) {
    Mechanism concentrated = TruncatedConcentrated.ofZeroConcentrated(0.1, 3);
    Mechanism selection = new RepeatAndSelect(concentrated, new PoissonTrials(5));
    for (Mechanism mechanism : List.of(selection, concentrated)) {
      assertThat(PldAccountant.supports(mechanism, adjacency)).isFalse();
      String why = PldAccountant.reasonAgainst(mechanism, adjacency).orElseThrow();
      assertThat(why)
          .isEqualTo(
              "%s is known by its Rényi curve, and has no dominating pair under %s",
              mechanism.name(), adjacency.key());
      // Also where others beside it have one.
      assertThatThrownBy(
              () -> PldAccountant.of(List.of(new PureDp(Epsilon.of(1), 1), mechanism), adjacency))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(why);
    }
  }

  @Test
  void aSampledLaplace_isRefusedUnderReplacementOnly() {
    Mechanism sampled = new SubsampledLaplace(2, 0.25, 1, 9);
    assertThat(PldAccountant.reasonAgainst(sampled, Adjacency.ADD_REMOVE)).isEmpty();
    assertThat(PldAccountant.reasonAgainst(sampled, Adjacency.REPLACE_ONE))
        .isEqualTo(
            Optional.of("no dominating pair is proved for subsampled-laplace under replace-one"));
    assertThatThrownBy(() -> PldAccountant.of(List.of(sampled), Adjacency.REPLACE_ONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no dominating pair is proved for subsampled-laplace under replace-one");
  }
}
