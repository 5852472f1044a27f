package io.mutune.trainer.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.mutune.accountant.Adjacency;
import java.math.BigDecimal;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridNoiseTest {
  private static final StreamId ID = new StreamId("grid", 1, 1, 1);
  private static final int DRAWS = 400_000;

  /**
   * Pearson's χ² of the rounded law over its whole numbers, those with fewer than 50 expected put
   * together at either end; both sides, 1e-10 each. Fails by chance 2e-10 of the time a case.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.3, 1, 3.7, 20})
  void roundedNormals_haveTheirLaw(double r) {
    ExactNormal normal = new ExactNormal(new KeyedStreams(SecureNoise.freshKey()).keystream(ID));
    NormalDistribution law = NormalDistribution.of(0, r);
    int last = 0;
    while (DRAWS * law.probability(last + 0.5, last + 1.5) >= 50) {
      last++;
    }
    long[] counts = new long[2 * last + 1];
    for (int i = 0; i < DRAWS; i++) {
      long n = normal.rounded(r);
      counts[(int) Math.max(-last, Math.min(last, n)) + last]++;
    }
    double chi = 0;
    for (int n = -last; n <= last; n++) {
      double probability =
          n == -last
              ? law.cumulativeProbability(n + 0.5)
              : n == last ? law.survivalProbability(n - 0.5) : law.probability(n - 0.5, n + 0.5);
      double expected = DRAWS * probability;
      chi += (counts[n + last] - expected) * (counts[n + last] - expected) / expected;
    }
    ChiSquaredDistribution square = ChiSquaredDistribution.of(2.0 * last);
    assertThat(chi)
        .isBetween(
            square.inverseCumulativeProbability(1e-10), square.inverseSurvivalProbability(1e-10));
  }

  /**
   * On a fine grid the law is that of a normal: mean and variance of 400000 draws, each within 6.8
   * of its standard deviation, which fails by chance 1e-11 of the time.
   */
  @Test
  void onAFineGrid_theNoiseIsANormal() {
    NormalStream noise = GridNoise.secure(Grid.USUAL).stream(ID);
    double[] values = new double[DRAWS];
    noise.addTo(values, 2.5);
    double sum = 0;
    double squares = 0;
    for (double value : values) {
      sum += value / 2.5;
      squares += value / 2.5 * value / 2.5;
    }
    assertThat(Math.abs(sum) / Math.sqrt(DRAWS)).isLessThan(6.8);
    assertThat(Math.abs(squares / DRAWS - 1)).isLessThan(6.8 * Math.sqrt(2.0 / DRAWS));
  }

  @Property(tries = 200)
  void whatIsReleased_liesOnTheGrid(
      @ForAll @DoubleRange(min = -1e5, max = 1e5) double value,
      @ForAll @IntRange(min = -40, max = 0) int exponent) {
    Grid grid = new Grid(exponent);
    double[] released = {value};
    GridNoise.secure(grid).stream(ID).addTo(released, 3);
    BigDecimal index = new BigDecimal(released[0]).divide(new BigDecimal(grid.spacing()));
    assertThat(index.remainder(BigDecimal.ONE).signum()).isZero();
  }

  /**
   * The noise of a seeded stream is the same whatever it is added to, so the difference of two
   * releases is that of the rounded sums: the sensitivity that is charged holds for it.
   */
  @Property(tries = 300)
  void releasesOfNeighbours_areWithinTheChargedSensitivity(
      @ForAll @IntRange(min = 1, max = 50) int coordinates,
      @ForAll @IntRange(min = -12, max = 0) int exponent,
      @ForAll @DoubleRange(min = 0.05, max = 20) double clip,
      @ForAll long seed) {
    Grid grid = new Grid(exponent);
    SplittableRandom random = new SplittableRandom(seed);
    double[] all = random.doubles(coordinates, -100, 100).toArray();
    double[] row = random.doubles(coordinates, -1, 1).toArray();
    double norm = norm(row);
    double[] less = all.clone();
    for (int j = 0; j < coordinates; j++) {
      less[j] -= row[j] / norm * clip * (1 - 1e-12);
    }
    GridNoise.seeded(grid, 5).stream(ID).addTo(all, 2);
    GridNoise.seeded(grid, 5).stream(ID).addTo(less, 2);
    for (int j = 0; j < coordinates; j++) {
      less[j] = all[j] - less[j];
    }
    double charged = clip * grid.sensitivity(Adjacency.ADD_REMOVE, clip, coordinates);
    assertThat(norm(less)).isLessThanOrEqualTo(charged);
  }

  /** Half a grid above and half below: with one coordinate the bound is met but for 2e-3. */
  @Test
  void roundingCosts_whatIsCharged_andNoLess() {
    Grid unit = new Grid(0);
    assertThat(unit.index(0.499) - unit.index(-0.5)).isZero();
    assertThat(unit.index(1.501) - unit.index(0.499)).isEqualTo(2);
    // Sums 1.002 apart, rounded 2 apart: 1.002 + g.
    assertThat(unit.sensitivity(Adjacency.ADD_REMOVE, 1.002, 1) * 1.002).isBetween(2.0, 2.0021);
    assertThat(unit.sensitivity(Adjacency.REPLACE_ONE, 4, 9)).isBetween(2.75, 2.75 + 1e-12);
  }

  @Test
  void sumsBeyondTheGrid_areHeldWithinIt() {
    Grid unit = new Grid(0);
    assertThat(unit.index(1e300)).isEqualTo(1L << 52);
    assertThat(unit.index(Double.NEGATIVE_INFINITY)).isEqualTo(-(1L << 52));
    assertThat(unit.index(Double.NaN)).isZero();
  }

  @Test
  void aStream_isHandedOutOnce() {
    GridNoise noise = GridNoise.secure(Grid.USUAL);
    assertThat(noise.stream(ID).next()).isNotZero();
    assertThatIllegalStateException().isThrownBy(() -> noise.stream(ID));
  }

  @Test
  void gridsThatDoublesDoNotHold_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Grid(1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Grid(-1001));
  }

  private static double norm(double[] values) {
    double squares = 0;
    for (double value : values) {
      squares += value * value;
    }
    return Math.sqrt(squares);
  }
}
