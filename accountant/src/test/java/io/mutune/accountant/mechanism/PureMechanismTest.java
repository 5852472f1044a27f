package io.mutune.accountant.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Epsilon;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class PureMechanismTest {
  @Test
  void itsMu_growsWithTheRootOfTheCount() {
    double one = new PureDp(Epsilon.of(0.3), 1).mu().orElseThrow().value();
    assertThat(new PureDp(Epsilon.of(0.3), 9).mu().orElseThrow().value())
        .isCloseTo(3 * one, within(1e-15));
  }

  @Test
  void laplace_isPureWithSensitivityOverScale() {
    assertThat(new Laplace(8.0, 2.0, 1).epsilon()).isEqualTo(Epsilon.of(0.25));
    assertThat(new Laplace(3.0, 1.0, 1).epsilon()).isEqualTo(Epsilon.of(Math.nextUp(1.0 / 3)));
  }

  @Test
  void aQuotientThatIsADouble_isLeftAsItIs() {
    assertThat(Require.quotientUp(3, 8)).isEqualTo(0.375);
    assertThat(Require.quotientUp(Double.MIN_NORMAL, 1)).isEqualTo(Double.MIN_NORMAL);
    assertThat(Require.quotientUp(1, 3)).isEqualTo(Math.nextUp(1.0 / 3));
    // The double nearest to 1/10 is above it.
    assertThat(Require.quotientUp(1, 10)).isEqualTo(0.1);
  }

  @Test
  void aSampleOfEveryRow_costsTheSame() {
    assertThat(new SubsampledLaplace(3.0, 1.0, 2.0, 5).epsilon())
        .isEqualTo(new Laplace(3.0, 2.0, 5).epsilon());
  }

  /** ln(1 + 0.05·(e² − 1)) with 20 digits is 0.27721710894494065261. */
  @Test
  void aSample_isAmplifiedAsInTheLecture() {
    assertThat(new SubsampledLaplace(0.5, 0.05, 1.0, 1).epsilon().value())
        .isBetween(0.27721710894494067, 0.27721710894494067 * (1 + 1e-14));
  }

  /** 1024 + ln 0.01 is 1019.3948298140119086; e^1024 is no double. */
  @Test
  void aSampleOfWhatProtectsNothing_isAmplifiedByItsRateAlone() {
    assertThat(new SubsampledLaplace(0x1p-10, 0.01, 1.0, 1).epsilon().value())
        .isBetween(1019.3948298140119, 1019.3948298140119 * (1 + 1e-14));
  }

  @Property
  void samplingLess_costsNoMore(
      @ForAll @DoubleRange(min = -3, max = 6) double logScale,
      @ForAll @DoubleRange(min = -12, max = 0) double logRate) {
    double scale = Math.pow(10, logScale);
    double rate = Math.pow(10, logRate);
    double half = new SubsampledLaplace(scale, rate / 2, 1.0, 1).epsilon().value();
    double whole = new SubsampledLaplace(scale, rate, 1.0, 1).epsilon().value();
    assertThat(half).isPositive().isLessThanOrEqualTo(whole);
    assertThat(whole).isLessThanOrEqualTo(new Laplace(scale, 1.0, 1).epsilon().value());
  }
}
