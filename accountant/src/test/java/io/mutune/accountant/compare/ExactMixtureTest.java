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
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Gaussian releases beside randomised responses that may fail have an exact δ(ε): a binomial sum of
 * closed forms. Every accountant must be on its side of it.
 */
class ExactMixtureTest {
  /** The sum's own rounding, for δ above 1e-9. */
  private static final double ROUNDING = 1e-6;

  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /** δ(ε) of N(μ, 1) from N(0, 1), for any real ε. */
  private static double gaussian(double mu, double epsilon) {
    if (mu == 0) {
      return Math.max(0, -Math.expm1(epsilon));
    }
    return NORMAL.survivalProbability(epsilon / mu - mu / 2)
        - Math.exp(epsilon) * NORMAL.survivalProbability(epsilon / mu + mu / 2);
  }

  /** k of n responses are the truth with a binomial probability, and their loss is (2k − n)ε₀. */
  private static double exact(double mu, double each, int n, double failure, double epsilon) {
    double truth = 1 / (1 + Math.exp(-each));
    double sum = 0;
    for (int k = 0; k <= n; k++) {
      double log =
          CombinatoricsUtils.binomialCoefficientLog(n, k)
              + k * Math.log(truth)
              + (n - k) * Math.log1p(-truth);
      sum += Math.exp(log) * gaussian(mu, epsilon - (2 * k - n) * each);
    }
    double kept = Math.exp(n * Math.log1p(-failure));
    return 1 - kept + kept * sum;
  }

  private static Releases releases(double mu, double each, int n, double failure) {
    List<Mechanism> mechanisms = new ArrayList<>();
    if (mu > 0) {
      mechanisms.add(new Gaussian(NoiseMultiplier.of(2), mu, 4));
    }
    if (failure > 0) {
      mechanisms.add(new ApproximateDp(Epsilon.of(each), Delta.of(failure), n));
    } else {
      // Two names for the same worst case.
      if (n > 1) {
        mechanisms.add(new RandomizedResponse(Epsilon.of(each), n / 2));
      }
      mechanisms.add(new PureDp(Epsilon.of(each), n - n / 2));
    }
    return new Releases(mechanisms, Adjacency.REPLACE_ONE);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.1, 10, 0, 0.5",
    "0, 0.1, 100, 0, 2.5",
    "0, 0.01, 400, 0, 0.6",
    "0, 1, 6, 0, 3.5",
    "0.5, 0.1, 10, 0, 1.5",
    "0.5, 0.05, 100, 0, 2",
    "1, 0.3, 4, 0, 3",
    "2, 0.01, 50, 0, 6",
    "0.1, 0.1, 20, 0, 1.2",
    "0, 0.1, 10, 1e-6, 0.5",
    "0.5, 0.1, 10, 1e-5, 1.5",
    "1, 0.5, 3, 1e-4, 4",
    "0.2, 0.02, 30, 1e-7, 0.7"
  })
  void everyAccountant_isOnItsSideOfTheTruth(
      double mu, double each, int n, double failure, double epsilon) {
    Releases releases = releases(mu, each, n, failure);
    double delta = exact(mu, each, n, failure, epsilon);
    assertThat(delta).isBetween(1e-9, 0.5);
    for (Accountant accountant : Accountant.values()) {
      if (accountant.answer(releases, new DeltaAt(Epsilon.of(epsilon))) instanceof Bound bound) {
        assertThat(bound.upper()).as(accountant.key()).isGreaterThan(delta * (1 - ROUNDING));
        assertThat(bound.lower()).as(accountant.key()).isLessThan(delta * (1 + ROUNDING));
      }
      if (accountant.answer(releases, new EpsilonAt(Delta.of(delta))) instanceof Bound bound) {
        assertThat(bound.upper()).as(accountant.key()).isGreaterThan(epsilon * (1 - ROUNDING));
        assertThat(bound.lower()).as(accountant.key()).isLessThan(epsilon * (1 + ROUNDING));
      }
    }
  }

  /** Where a numerical composition once lost the only outcome that counts, and said 0. */
  @ParameterizedTest
  @CsvSource({"1, 2", "1, 3", "1, 10", "1.1, 1", "1.1, 2", "0.5, 3", "0.05, 10"})
  void rareFailures_areNeverTakenForNone(double each, int n) {
    Releases releases = releases(0, each, n, 0);
    for (double logDelta = -9; logDelta < -2; logDelta += 0.25) {
      double delta = Math.pow(10, logDelta);
      Bound bound = CombinedGuarantee.GUARANTEE.bound(releases, new EpsilonAt(Delta.of(delta)));
      assertThat(exact(0, each, n, 0, bound.upper())).isLessThanOrEqualTo(delta * (1 + ROUNDING));
    }
  }

  /** Within the accuracy that the reference tables ask of a numerical composition. */
  @ParameterizedTest
  @CsvSource({
    "0.5, 0.1, 10, 0, 1.5",
    "0.5, 0.05, 100, 0, 2",
    "1, 0.3, 4, 0, 3",
    "0.5, 0.1, 10, 1e-5, 1.5"
  })
  void theGuarantee_isNearTheTruth(double mu, double each, int n, double failure, double epsilon) {
    Releases releases = releases(mu, each, n, failure);
    double delta = exact(mu, each, n, failure, epsilon);
    Bound guarantee = CombinedGuarantee.GUARANTEE.bound(releases, new EpsilonAt(Delta.of(delta)));
    assertThat(guarantee.upper()).isBetween(epsilon * (1 - ROUNDING), epsilon * (1 + 3e-4));
    assertThat(guarantee.lower()).isBetween(epsilon * 0.99, epsilon * (1 + ROUNDING));
  }
}
