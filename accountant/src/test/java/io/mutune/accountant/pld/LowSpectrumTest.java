package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Low frequencies and what bounds all others, against their defining sums in 60 digits. */
class LowSpectrumTest {
  private static final int SIZE = 512;
  private static final int BINS = 128;
  private static final BigDecimal[][] ROOTS = Digits.rootsOfUnity(SIZE);

  private static LowSpectrum low(double[] masses, long first, int bins) {
    return LowSpectrum.of(masses.clone(), first, SIZE, new RealTransform(bins));
  }

  /** Σ m·e^(−2πijk/N) over the places j. */
  private static BigDecimal[] frequency(double[] masses, long first, int k) {
    BigDecimal re = BigDecimal.ZERO;
    BigDecimal im = BigDecimal.ZERO;
    for (int i = 0; i < masses.length; i++) {
      BigDecimal[] root = ROOTS[Math.floorMod((first + i) * k, SIZE)];
      re = re.add(root[0].multiply(new BigDecimal(masses[i])), Digits.FIFTY);
      im = im.subtract(root[1].multiply(new BigDecimal(masses[i])), Digits.FIFTY);
    }
    return new BigDecimal[] {re, im};
  }

  private static double modulus(BigDecimal re, BigDecimal im) {
    return Math.hypot(re.doubleValue(), im.doubleValue());
  }

  private static void holds(LowSpectrum low, double[] masses, long first, int bins) {
    int highest = LowSpectrum.highest(bins);
    assertThat(low.values()).hasSize(2 * (highest + 1));
    for (int k = 0; k <= SIZE / 2; k++) {
      BigDecimal[] exact = frequency(masses, first, k);
      if (k <= highest) {
        BigDecimal re = new BigDecimal(low.values()[2 * k]).subtract(exact[0]);
        BigDecimal im = new BigDecimal(low.values()[2 * k + 1]).subtract(exact[1]);
        assertThat(modulus(re, im)).as("frequency %s", k).isLessThanOrEqualTo(low.error());
      } else {
        assertThat(modulus(exact[0], exact[1]))
            .as("frequency %s", k)
            .isLessThanOrEqualTo(Math.exp(low.logRest()));
      }
    }
    // Useful as well: some hundred roundings.
    assertThat(low.error()).isLessThan(1e-13);
  }

  private static double[] normalised(double[] masses) {
    double sum = Arrays.stream(masses).sum();
    return Arrays.stream(masses).map(m -> m / sum).toArray();
  }

  private static double[] bell(int length, double deviation) {
    double[] masses = new double[length];
    for (int i = 0; i < length; i++) {
      double x = (i - length / 2.0) / deviation;
      masses[i] = Math.exp(-x * x / 2);
    }
    return normalised(masses);
  }

  private static double[] spikes(int seed, int length) {
    Random random = new Random(seed);
    double[] masses = new double[length];
    for (int i = 0; i < length; i++) {
      masses[i] = random.nextInt(3) == 0 ? Math.exp(-30 * random.nextDouble()) : 0;
    }
    masses[0] = 1;
    return normalised(masses);
  }

  /** Of any width of the bins, from single points on, and beginning anywhere. */
  @ParameterizedTest
  @CsvSource({"32, 0", "64, -3", "128, -200", "128, 511", "256, 77", "512, -1"})
  void values_areTheDefiningSums(int bins, long first) {
    for (double[] masses : new double[][] {bell(200, 25), spikes(1, 90), spikes(2, 512)}) {
      holds(low(masses, first, bins), masses, first, bins);
    }
  }

  /** At a bin's edge the phase that Taylor's polynomial has to follow is largest. */
  @Test
  void aSingleMass_isFollowedAtEveryPlaceOfABin() {
    for (int place = 0; place < 2 * SIZE / BINS; place++) {
      holds(low(new double[] {1}, place, BINS), new double[] {1}, place, BINS);
    }
  }

  /** More masses than the cycle has points: they fold onto each other. */
  @Test
  void masses_goAroundTheCycleMoreThanOnce() {
    double[] masses = bell(3 * SIZE + 17, 300);
    holds(low(masses, -901, BINS), masses, -901, BINS);
  }

  @Test
  void flatMasses_cancelBeyondTheLowFrequencies() {
    double[] flat = new double[256];
    Arrays.fill(flat, 1 / 256.0);
    double rest = low(flat, 0, BINS).logRest();
    // 1/(256·sin(θ/2)) at the ninth of 512 frequencies is 0.071.
    int lowest = LowSpectrum.highest(BINS) + 1;
    double cancelled = 1 / Math.sin(Math.PI * lowest / SIZE);
    assertThat(Math.exp(rest)).isBetween(cancelled / 256, 1.01 * cancelled / 256);
    // With more frequencies the others are fewer, and their bound falls.
    assertThat(low(flat, 0, 256).logRest()).isLessThan(rest);
  }

  /** Every other point: one of the other frequencies is 1, and nothing less is said. */
  @Test
  void aComb_isNotTakenForFlat() {
    double[] comb = new double[300];
    for (int i = 0; i < comb.length; i += 2) {
      comb[i] = 1;
    }
    LowSpectrum low = low(normalised(comb), 0, BINS);
    assertThat(low.logRest()).isGreaterThanOrEqualTo(0);
    holds(low, normalised(comb), 0, BINS);
  }
}
