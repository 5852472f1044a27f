package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class SampledGaussianTest {
  /** The room that is left upward is 2⁻⁴⁰; the table's inputs are no doubles, which moves it. */
  private static final double ROOM = 1e-11;

  @ParameterizedTest
  @CsvFileSource(resources = "sampled-gaussian.csv", numLinesToSkip = 1)
  void divergence_isTheTablesRoundedUp(double sigma, double rate, double order, double truth) {
    assertThat(SampledGaussian.divergence(sigma, rate, order))
        .isBetween(truth * (1 - 1e-15), truth * (1 + ROOM));
  }

  /** Mironov, Talwar and Zhang 2019, equation 3.3, less its two first terms, which add up to 1. */
  private static double wholeOrder(double sigma, double rate, int order) {
    double rest = 0;
    for (int k = 2; k <= order; k++) {
      rest +=
          CombinatoricsUtils.binomialCoefficientDouble(order, k)
              * Math.pow(1 - rate, order - k)
              * Math.pow(rate, k)
              * Math.expm1(k * (k - 1) / (2 * sigma * sigma));
    }
    return Math.log1p(rest) / (order - 1);
  }

  @Property
  void atWholeOrders_itIsTheFiniteSum(
      @ForAll @DoubleRange(min = 0, max = 4) double logSigma,
      @ForAll @DoubleRange(min = -6, max = -0.01) double logRate,
      @ForAll @IntRange(min = 2, max = 20) int order) {
    double sigma = Math.pow(10, logSigma);
    double rate = Math.pow(10, logRate);
    assertThat(SampledGaussian.divergence(sigma, rate, order))
        .isCloseTo(wholeOrder(sigma, rate, order), withinPercentage(1e-9));
  }

  @Property
  void itGrowsWithTheOrderAndTheRateAndFallsWithTheNoise(
      @ForAll @DoubleRange(min = -3, max = 8) double logSigma,
      @ForAll @DoubleRange(min = -9, max = -0.01) double logRate,
      @ForAll @DoubleRange(min = -9, max = 6) double logExcess) {
    double sigma = Math.pow(10, logSigma);
    double rate = Math.pow(10, logRate);
    double order = 1 + Math.pow(10, logExcess);
    double divergence = SampledGaussian.divergence(sigma, rate, order);
    double slack = divergence * (1 + ROOM);
    assertThat(divergence).isPositive().isFinite();
    assertThat(SampledGaussian.divergence(sigma * 1.1, rate, order)).isLessThanOrEqualTo(slack);
    assertThat(SampledGaussian.divergence(sigma, rate * 0.9, order)).isLessThanOrEqualTo(slack);
    assertThat(SampledGaussian.divergence(sigma, rate, 1 + (order - 1) * 0.9))
        .isLessThanOrEqualTo(slack);
  }

  /** What sampling can never cost more than. */
  @Property
  void itIsAtMostThatOfTheWholeDataSet(
      @ForAll @DoubleRange(min = -3, max = 8) double logSigma,
      @ForAll @DoubleRange(min = -9, max = -0.01) double logRate) {
    double sigma = Math.pow(10, logSigma);
    assertThat(SampledGaussian.divergence(sigma, Math.pow(10, logRate), 3))
        .isLessThanOrEqualTo(Rounding.up(3 / (2 * sigma) / sigma));
  }

  @Test
  void aRateBelowOneByABit_costsWhatEveryRowDoes() {
    assertThat(SampledGaussian.divergence(2, Math.nextDown(1.0), 4))
        .isCloseTo(0.5, withinPercentage(1e-9));
  }
}
