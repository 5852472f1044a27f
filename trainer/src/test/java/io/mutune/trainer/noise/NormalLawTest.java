package io.mutune.trainer.noise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One sample of {@value #DRAWS} draws from secret noise, compared with N(0, 1). Every test says how
 * often it fails by chance; together below 1e-9.
 */
class NormalLawTest {
  private static final int DRAWS = 50_000_000;
  private static final double TAIL = 4.8;
  private static final int BINS = 1000;
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /** For a statistic that is N(0, 1) over so many draws: P(|z| > 6.8) = 1.0e-11. */
  private static final double FAR = 6.8;

  private static double sum;
  private static double squares;
  private static double fourths;
  private static int beyond;
  private static final long[] COUNTS = new long[BINS];

  @BeforeAll
  static void draw() {
    NormalStream noise = new SecureNoise().stream(new StreamId("law", 0, 0, 1));
    double[] edges = new double[BINS - 1];
    for (int i = 0; i < edges.length; i++) {
      edges[i] = NORMAL.inverseCumulativeProbability((i + 1.0) / BINS);
    }
    for (int i = 0; i < DRAWS; i++) {
      double z = noise.next();
      sum += z;
      squares += z * z;
      fourths += z * z * z * z;
      beyond += Math.abs(z) > TAIL ? 1 : 0;
      if (i % 10 == 0) {
        int place = Arrays.binarySearch(edges, z);
        COUNTS[place < 0 ? -place - 1 : place]++;
      }
    }
  }

  /** The mean is N(0, 1/n); fails by chance 1e-11 of the time. */
  @Test
  void mean_isZero() {
    assertThat(Math.abs(sum) / Math.sqrt(DRAWS)).isLessThan(FAR);
  }

  /** Var(z²) = 2; fails by chance 1e-11 of the time. */
  @Test
  void variance_isOne() {
    assertThat(Math.abs(squares / DRAWS - 1)).isLessThan(FAR * Math.sqrt(2.0 / DRAWS));
  }

  /** E z⁴ = 3, Var(z⁴) = 105 − 9 = 96; fails by chance 1e-11 of the time, skewness included. */
  @Test
  void fourthMoment_isThree() {
    assertThat(Math.abs(fourths / DRAWS - 3)).isLessThan(FAR * Math.sqrt(96.0 / DRAWS));
  }

  /**
   * The number beyond 4.8 standard deviations is binomial, 79 expected; a source that is cut off
   * there has none. Fails by chance 1e-10 of the time.
   */
  @Test
  void tails_areNotCutOff() {
    BinomialDistribution law = BinomialDistribution.of(DRAWS, 2 * NORMAL.survivalProbability(TAIL));
    assertThat(beyond)
        .isBetween(law.inverseCumulativeProbability(5e-11), law.inverseSurvivalProbability(5e-11));
  }

  /**
   * Pearson's χ² over 1000 bins of equal probability, every tenth draw, 5000 expected in each; both
   * sides of the law, 1e-10 each. Fails by chance 2e-10 of the time.
   */
  @Test
  void everyPartOfTheLaw_hasItsShare() {
    double expected = DRAWS / 10.0 / BINS;
    double chi = 0;
    for (long count : COUNTS) {
      chi += (count - expected) * (count - expected) / expected;
    }
    ChiSquaredDistribution law = ChiSquaredDistribution.of(BINS - 1);
    assertThat(chi)
        .isBetween(law.inverseCumulativeProbability(1e-10), law.inverseSurvivalProbability(1e-10));
  }
}
