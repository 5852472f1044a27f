package io.mutune.orchestrator.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.testing.Effort;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.distribution.GeometricDistribution;
import org.apache.commons.math3.distribution.PoissonDistribution;

class CountLawTest {
  private static int quantile(TrialCount law, double u) {
    return CountLaw.quantile(law, CountLaw.share(u));
  }

  @Property(tries = 500)
  void poisson_isThatOfALibrary(
      @ForAll @DoubleRange(min = 0.5, max = 50) double mean,
      @ForAll @LongRange(min = 1, max = 999_999) long millionths) {
    double u = millionths / 1e6;
    PoissonDistribution library = new PoissonDistribution(mean);
    int k = quantile(new PoissonTrials(mean), u);

    // The library's distribution function is good to about 1e-12.
    assertThat(library.cumulativeProbability(k)).isGreaterThanOrEqualTo(u - 1e-11);
    assertThat(library.cumulativeProbability(k - 1)).isLessThan(u + 1e-11);
  }

  @Property(tries = 500)
  void shapeOne_isTheGeometricLaw(
      @ForAll @DoubleRange(min = 1.1, max = 100) double mean,
      @ForAll @LongRange(min = 1, max = 999_999) long millionths) {
    double u = millionths / 1e6;
    // The library counts failures before the first success, of probability 1/mean.
    GeometricDistribution library = new GeometricDistribution(1 / mean);
    int k = quantile(TruncatedNegativeBinomial.ofMean(1, mean), u);

    assertThat(library.cumulativeProbability(k - 1)).isGreaterThanOrEqualTo(u - 1e-11);
    assertThat(library.cumulativeProbability(k - 2)).isLessThan(u + 1e-11);
  }

  @Property(tries = 5)
  @AddLifecycleHook(Effort.class)
  void theMean_isTheLaws(
      @ForAll @DoubleRange(min = 0, max = 5) double shape,
      @ForAll @DoubleRange(min = 1.5, max = 20) double mean) {
    TruncatedNegativeBinomial law = TruncatedNegativeBinomial.ofMean(shape, mean);
    int points = 2_000;
    double sum = 0;
    for (int i = 0; i < points; i++) {
      sum += quantile(law, (i + 0.5) / points);
    }

    // The quantile is monotone, so the rule of midpoints is off by its range over the number of
    // points at most; P(K > k) falls like (1 − γ)^k, so the largest is below 40/γ for such shapes.
    assertThat(sum / points).isCloseTo(mean, within(40 / law.gamma() / points));
  }

  /** Doubles end here: 1 − 2^−100 is 1 in them, and the draw would have no end of its own. */
  @Example
  void allBits_count() {
    TrialCount law = TruncatedNegativeBinomial.ofMean(1, 2);

    // P(K > k) = 2^−k for the geometric law of mean 2, up to the last digits of γ.
    assertThat(CountLaw.quantile(law, CountLaw.share(-1, -1))).isBetween(128, 130);
    assertThat(CountLaw.quantile(law, CountLaw.share(-1, 0))).isBetween(63, 65);
    assertThat(CountLaw.quantile(law, CountLaw.share(0, 0))).isEqualTo(1);
    assertThat(CountLaw.share(1L << 63, 0).toDouble()).isEqualTo(0.5);
    assertThat(CountLaw.share(0, 1L << 63).toDouble()).isEqualTo(0x1p-65);
  }

  /** The library's, up to the rounding of its sums. */
  @Property(tries = 200)
  void binomialQuantiles_areTheLibrarys(
      @ForAll @IntRange(min = 1, max = 200) int most,
      @ForAll @DoubleRange(min = 0.01, max = 0.99) double probability,
      @ForAll @LongRange(min = 1, max = 999_999) long millionths) {
    double u = millionths / 1e6;
    BinomialDistribution library = new BinomialDistribution(most, probability);
    int k = quantile(new BinomialTrials(most, probability), u);

    assertThat(library.cumulativeProbability(k)).isGreaterThanOrEqualTo(u - 1e-11);
    assertThat(library.cumulativeProbability(k - 1)).isLessThan(u + 1e-11);
  }

  @Example
  void aBinomialLaw_endsAtItsMost() {
    TrialCount law = new BinomialTrials(20, 0.999);

    assertThat(CountLaw.quantile(law, CountLaw.share(-1, -1))).isEqualTo(20);
    assertThat(CountLaw.quantile(new BinomialTrials(20, 0.001), CountLaw.share(0, 0))).isZero();
  }

  /** P(K > k) = (1 − γ)^k, which is 2^−40 at about 14 000 of a mean of 500. */
  @Example
  void shapeOne_isTheGeometricLawFarOutToo() {
    TruncatedNegativeBinomial law = TruncatedNegativeBinomial.ofMean(1, 500);
    double k = -40 * Math.log(2) / Math.log1p(-law.gamma());

    assertThat(CountLaw.quantile(law, CountLaw.share(-1L << 24, 0))).isEqualTo((int) Math.ceil(k));
  }

  @Example
  void theEndsOfTheLaw_areReached_andNoDrawRunsForEver() {
    TrialCount law = TruncatedNegativeBinomial.ofMean(0, 500);

    assertThat(quantile(law, 0x1p-54)).isEqualTo(1);
    assertThat(quantile(law, 1 - 0x1p-53)).isBetween(500, 1_000_000);
    // With 80 digits, by another program.
    assertThat(CountLaw.quantile(law, CountLaw.share(-1, -1))).isEqualTo(345_402);
    assertThat(quantile(new PoissonTrials(500), 1 - 0x1p-53)).isBetween(600, 1_000_000);
    assertThat(quantile(new PoissonTrials(1), 0x1p-54)).isZero();
  }
}
