package io.mutune.accountant.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrialCountTest {
  @Test
  void theGeometricLaw_runsOneOverGammaTimes() {
    assertThat(new TruncatedNegativeBinomial(1, 0.1).mean()).isCloseTo(10, within(1e-13));
  }

  /** Logarithmic, γ with 15 digits from a 60-digit computation. */
  @Test
  void theLogarithmicLawOfThreeRuns_hasTheGammaOfTheTables() {
    TruncatedNegativeBinomial law = TruncatedNegativeBinomial.ofMean(0, 3);
    assertThat(law.gamma()).isCloseTo(0.148999296512509, within(1e-14));
    assertThat(law.mean()).isCloseTo(3, within(1e-13));
  }

  @Test
  void poissonsLaw_hasItsMean() {
    assertThat(new PoissonTrials(2.5).mean()).isEqualTo(2.5);
  }

  @ParameterizedTest
  @CsvSource({"-0.5, 1.001", "0, 1.000001", "0, 1e6", "1, 1e9", "2, 1.5", "50, 100", "1e-70, 3"})
  void aLawOfAMean_hasIt(double shape, double mean) {
    assertThat(TruncatedNegativeBinomial.ofMean(shape, mean).mean())
        .isCloseTo(mean, withinPercentage(1e-8));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 0.5, Double.NaN, Double.POSITIVE_INFINITY})
  void aMeanThatNoLawHas_isRefused(double mean) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedNegativeBinomial.ofMean(1, mean))
        .withMessage("mean must be finite and above 1; was " + mean);
  }

  @Test
  void aMeanBeyondTheSmallestGamma_isRefusedAndNamesTheLargest() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedNegativeBinomial.ofMean(-0.9, 1e300))
        .withMessageContaining("the law of shape -0.9 has means below ");
  }

  @Test
  void theMeanOfTheSmallestGamma_isRefusedItself() {
    double most = new TruncatedNegativeBinomial(1, Double.MIN_NORMAL).mean();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedNegativeBinomial.ofMean(1, most))
        .withMessageContaining("has means below " + most + "; was " + most);
  }

  @Property
  void aSmallerGamma_runsMoreOften(
      @ForAll @DoubleRange(min = -0.99, max = 100) double shape,
      @ForAll @DoubleRange(min = -6, max = -0.01) double logGamma) {
    double gamma = Math.pow(10, logGamma);
    assertThat(new TruncatedNegativeBinomial(shape, gamma * 0.99).mean())
        .isGreaterThan(new TruncatedNegativeBinomial(shape, gamma).mean())
        .isGreaterThanOrEqualTo(1);
  }

  @Test
  void aMeanBelowTheLeastOfTheLaw_isRefusedByName() {
    for (double shape : new double[] {1e10, 1e300}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> TruncatedNegativeBinomial.ofMean(shape, 1.0000000001))
          .withMessageContaining("has means from ");
    }
    for (double shape : new double[] {0, 1}) {
      assertThat(TruncatedNegativeBinomial.ofMean(shape, Math.nextUp(1.0)).mean())
          .isCloseTo(1, within(1e-15));
    }
  }
}
