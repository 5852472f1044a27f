package io.mutune.accountant.empirical;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class NoiseTestTest {
  /** χ² of two degrees has the distribution 1 − e^(−x/2). */
  @Test
  void scales_haveTheirClosedForm() {
    assertThat(NoiseTest.wrongScale(new double[] {3, 4}))
        .isCloseTo(2 * Math.exp(-12.5), Percentage.withPercentage(1e-6));
    assertThat(NoiseTest.wrongScale(new double[] {0.06, 0.08}))
        .isCloseTo(-2 * Math.expm1(-0.005), Offset.offset(1e-12));
  }

  @Test
  void relatedness_isATailOfTheNormalLaw() {
    assertThat(NoiseTest.related(new double[] {2, 0}, new double[] {1.96, 7}))
        .isCloseTo(0.05, Offset.offset(1e-4));
    assertThat(NoiseTest.related(new double[] {-2, 0}, new double[] {1.96, 7}))
        .isCloseTo(0.05, Offset.offset(1e-4));
    assertThat(NoiseTest.related(new double[2], new double[] {1, 1})).isEqualTo(1);
  }

  /**
   * Sound noise gives p-values that are uniform: 200 of them are all above 1e-12, but for 1 in 5e9.
   */
  @Test
  void soundNoise_isNotAccused_andScaledNoiseIs() {
    SplittableRandom random = new SplittableRandom(12);
    for (int i = 0; i < 200; i++) {
      double[] z = random.doubles(500).map(u -> random.nextGaussian()).toArray();
      assertThat(NoiseTest.wrongScale(z)).isGreaterThan(1e-12);
      double[] less = Arrays.stream(z).map(v -> v / 2).toArray();
      assertThat(NoiseTest.wrongScale(less)).isLessThan(1e-12);
      assertThat(NoiseTest.related(z, less)).isLessThan(1e-12);
    }
  }
}
