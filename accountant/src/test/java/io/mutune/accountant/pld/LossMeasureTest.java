package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moments of measures on grids, against sums in 60 digits. */
class LossMeasureTest {
  private static LossMeasure measure(int seed, int size, double spacing, long first) {
    Random random = new Random(seed);
    double[] masses = new double[size];
    for (int i = 0; i < size; i++) {
      masses[i] = random.nextInt(4) == 0 ? 0 : Math.exp(-30 * random.nextDouble()) / size;
    }
    masses[size / 2] = 0.125;
    return new LossMeasure(spacing, first, masses, 0.0625, 1e-9);
  }

  /** ln Σ m·e^(λkh), with the shift left out. */
  private static BigDecimal logMoment(LossMeasure measure, double lambda) {
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal step = new BigDecimal(measure.spacing()).multiply(new BigDecimal(lambda));
    for (int i = 0; i < measure.masses().length; i++) {
      BigDecimal weight = Digits.exp(step.multiply(BigDecimal.valueOf(measure.first() + i)));
      sum = sum.add(weight.multiply(new BigDecimal(measure.masses()[i])), Digits.FIFTY);
    }
    return Digits.log(sum);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1e-3, 0.7, 13, 400, -1e-3, -0.7, -13, -400})
  void logMoments_areWithinTheirRounding(double lambda) {
    for (int seed = 0; seed < 4; seed++) {
      LossMeasure measure = measure(seed, 150 + seed, 0.01, -60L * seed);
      double computed = measure.logMoment(lambda);
      BigDecimal exact = logMoment(measure, lambda);
      assertThat(new BigDecimal(computed).subtract(exact).abs().doubleValue())
          .isLessThanOrEqualTo(measure.roundingOfMoment(lambda, computed));
      // A bound that is not far above what sums of a few hundred terms lose.
      assertThat(measure.roundingOfMoment(lambda, computed)).isLessThan(1e-11);
    }
  }

  @Test
  void theTotal_hasTheInfiniteMass() {
    LossMeasure measure = measure(9, 100, 0.5, -3);
    BigDecimal sum = new BigDecimal(measure.infinite());
    for (double mass : measure.masses()) {
      sum = sum.add(new BigDecimal(mass));
    }
    assertThat(measure.total()).isCloseTo(sum.doubleValue(), within(1e-14));
  }

  @Test
  void placesAreCountedFromTheFirst() {
    LossMeasure measure = new LossMeasure(0.25, -7, new double[] {0.5, 0, 0.5}, 0, 0.125);
    assertThat(measure.last()).isEqualTo(-5);
    // Both losses are at −7/4 and −5/4: e^(λ·x) of them, and nothing of the shift.
    double expected = Math.log(0.5 * Math.exp(-3.5) + 0.5 * Math.exp(-2.5));
    assertThat(measure.logMoment(2)).isCloseTo(expected, within(1e-14));
  }

  /** Millions of equal masses: plain sums would lose six digits of what is asked here. */
  @Test
  void manyMasses_keepTheirDigits() {
    int size = 1 << 20;
    double[] masses = new double[size];
    Arrays.fill(masses, 0.1 / size);
    LossMeasure measure = new LossMeasure(1e-9, 0, masses, 0.9, 0);
    assertThat(measure.total()).isCloseTo(1, within(1e-15));
    assertThat(measure.logMoment(0))
        .isCloseTo(Math.log(0.1), within(measure.roundingOfMoment(0, Math.log(0.1))));
  }
}
