package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Delta;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class SampledLaplaceTest {
  /** The room that is left upward is 2⁻⁴⁰; the table's inputs are no doubles, which moves it. */
  private static final double ROOM = 1e-11;

  @ParameterizedTest
  @CsvFileSource(resources = "sampled-laplace.csv", numLinesToSkip = 1)
  void divergence_isTheTablesRoundedUp(double epsilon, double rate, double order, double truth) {
    assertThat(SampledLaplace.divergence(epsilon, rate, order))
        .isBetween(truth * (1 - 1e-15), truth * (1 + ROOM));
  }

  @Property
  void aSampleOfAlmostEveryRow_costsWhatLaplaceDoes(
      @ForAll @DoubleRange(min = -9, max = 1) double logEpsilon,
      @ForAll @DoubleRange(min = -6, max = 1) double logExcess) {
    double epsilon = Math.pow(10, logEpsilon);
    double order = 1 + Math.pow(10, logExcess);
    assertThat(SampledLaplace.divergence(epsilon, Math.nextDown(1.0), order))
        .isCloseTo(PureCurves.laplace(epsilon, order), withinPercentage(1e-8));
  }

  @Property
  void itIsAtMostWhatSamplingGivesAnyPureMechanism(
      @ForAll @DoubleRange(min = -9, max = 1) double logEpsilon,
      @ForAll @DoubleRange(min = -9, max = -0.01) double logRate,
      @ForAll @DoubleRange(min = -6, max = 3) double logExcess) {
    double scale = Math.pow(10, -logEpsilon);
    double rate = Math.pow(10, logRate);
    double order = 1 + Math.pow(10, logExcess);
    SubsampledLaplace sampled = new SubsampledLaplace(scale, rate, 1.0, 1);
    double whole = sampled.unsampled().epsilon().value();
    double divergence = Oracle.cost(sampled).curve().at(order);
    assertThat(divergence)
        .isPositive()
        .isLessThanOrEqualTo(PureCurves.pure(sampled.epsilon().value(), order))
        .isLessThanOrEqualTo(SampledLaplace.divergence(whole, rate, order));
  }

  /** The certified interval of heterogeneous.json's row is [4.95338, 4.95602] with a Gaussian. */
  @Test
  void manySamples_costFarLessThanTheirPureEpsilonsDo() {
    double epsilon =
        Oracle.cost(new SubsampledLaplace(0.5, 0.05, 1.0, 100)).epsilon(Delta.of(1e-5)).value();
    assertThat(epsilon).isBetween(4.5, 5.8);
    assertThat(Oracle.cost(new Laplace(0.5, 1.0, 100)).epsilon(Delta.of(1e-5)).value())
        .isGreaterThan(50);
  }
}
