package io.mutune.trainer.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Maps that make more features: polynomials, random Fourier features, and groups of channels. */
class ExpansionTest {
  private static float[] image(FeatureMap map, float... row) {
    float[] image = new float[map.outputs(row.length)];
    map.open(row.length).apply(row, 0, image, 0);
    return image;
  }

  private static double product(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  private static float[] row(SplittableRandom random, int length) {
    float[] row = new float[length];
    for (int i = 0; i < length; i++) {
      row[i] = (float) (2 * random.nextDouble() - 1);
    }
    return row;
  }

  /** Features are rounded by 6e-8 of themselves, and the product is at most 6^4 large. */
  @Property(tries = 200)
  void polynomialImages_haveThePowerOfTheInnerProduct(
      @ForAll @IntRange(min = 1, max = 4) int degree,
      @ForAll @IntRange(min = 1, max = 5) int length,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] x = row(random, length);
    float[] y = row(random, length);
    Polynomial map = new Polynomial(degree);
    assertThat(product(image(map, x), image(map, y)))
        .isCloseTo(
            Math.pow(1 + product(x, y), degree), within(1e-6 * Math.pow(1 + length, degree)));
  }

  @Test
  void degreeOne_putsAOneBeforeTheRow() {
    assertThat(image(new Polynomial(1), 3, -4)).containsExactly(1, 3, -4);
    assertThat(image(new Polynomial(2), 2)).containsExactly(1, (float) (2 * Math.sqrt(2)), 4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Polynomial(4).outputs(1000))
        .withMessageContaining("and may make 1048576");
  }

  /**
   * The product is a mean of D/2 terms cos(ω·(x − y)) in [−1, 1]: by Hoeffding it is more than 0.11
   * off with probability 2·exp(−4096 · 0.11² / 2) = 3.5e-11 a pair, and the seed is fixed besides.
   */
  @Test
  void randomFourierImages_haveTheKernelAsTheirInnerProduct() {
    requireKernel(new RandomFourier(8192, 0.7, 5, false), 6, 0.11);
  }

  /** By a fixed seed: the error of 4096 such directions was below 0.02, and their bias is 1/100. */
  @Test
  void orthogonalImages_haveTheKernelAsTheirInnerProduct() {
    RandomFourier map = new RandomFourier(8192, 0.01, 5, true);
    requireKernel(map, 100, 0.05);
    // A row of one number, of which signs alone would make a single product, and cos(√0.02·10) it.
    float[] alone = new float[100];
    alone[17] = 10;
    assertThat(product(image(map, alone), image(map, new float[100])))
        .isCloseTo(Math.exp(-1), within(0.05));
  }

  private static void requireKernel(RandomFourier map, int length, double error) {
    SplittableRandom random = new SplittableRandom(6);
    for (int pair = 0; pair < 5; pair++) {
      float[] x = row(random, length);
      float[] y = row(random, length);
      double squares = 0;
      for (int i = 0; i < length; i++) {
        squares += (x[i] - y[i]) * (double) (x[i] - y[i]);
      }
      assertThat(product(image(map, x), image(map, y)))
          .isCloseTo(Math.exp(-map.gamma() * squares), within(error));
      assertThat(product(image(map, x), image(map, x))).isCloseTo(1, within(1e-5));
    }
  }

  @Test
  void theSameSeed_givesTheSameFeatures_andAnotherGivesOthers() {
    float[] x = row(new SplittableRandom(3), 64);
    for (boolean orthogonal : new boolean[] {false, true}) {
      assertThat(image(new RandomFourier(16, 1, 1, orthogonal), x))
          .isEqualTo(image(new RandomFourier(16, 1, 1, orthogonal), x))
          .isNotEqualTo(image(new RandomFourier(16, 1, 2, orthogonal), x));
    }
  }

  /** 300 directions of rows of 100 numbers: two blocks of 128 and a part of a third. */
  @Test
  void orthogonalDirections_areSoInTheirBlocks_andAsLongAsIndependentOnes() {
    double[][] directions = new double[300][100];
    OrthogonalDirections all =
        new OrthogonalDirections(
            300, 100, 0.7, new SeededNoise(5).stream(new StreamId("test", 0, 0, 1)));
    double[] products = new double[300];
    for (int j = 0; j < 100; j++) {
      float[] unit = new float[107];
      unit[7 + j] = 1;
      all.of(unit, 7, products);
      for (int i = 0; i < 300; i++) {
        directions[i][j] = products[i];
      }
    }
    // Of 100 of 128 coordinates: entries of a mean square of 2γ, by one column of a block exactly.
    for (int block = 0; block < 256; block += 128) {
      for (int j = 0; j < 100; j++) {
        double squares = 0;
        double withNext = 0;
        for (int i = block; i < block + 128; i++) {
          squares += directions[i][j] * directions[i][j];
          withNext += directions[i][j] * directions[i][(j + 1) % 100];
        }
        assertThat(squares).isCloseTo(128 * 2 * 0.7, within(1e-9));
        assertThat(withNext).isCloseTo(0, within(1e-9));
      }
    }
    assertThat(directions[299]).isNotEqualTo(directions[299 - 128]);
  }

  @Test
  void orthogonalDirections_areForLongRowsThatFitInMemory() {
    RandomFourier map = new RandomFourier(1 << 16, 1, 1, true);
    assertThat(map.outputs(64)).isEqualTo(1 << 16);
    assertThat(map.outputs(65)).isEqualTo(1 << 16);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.outputs(63))
        .withMessageContaining("at least 64 values; they have 63");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.outputs(1 << 30))
        .withMessageContaining("do not fit in memory");
  }

  @Test
  void groups_areNormalisedByThemselves() {
    // Two groups of two channels of two values: means 2.5 and 10, variances 1.25 and 0.
    float[] image = image(new GroupNorm(4, 2), 1, 2, 3, 4, 10, 10, 10, 10);
    double scale = 1 / Math.sqrt(1.25 + 1e-5);
    assertThat(image)
        .containsExactly(
            (float) (-1.5 * scale),
            (float) (-0.5 * scale),
            (float) (0.5 * scale),
            (float) (1.5 * scale),
            0,
            0,
            0,
            0);
    assertThatIllegalArgumentException().isThrownBy(() -> new GroupNorm(4, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> new GroupNorm(4, 2).outputs(6));
  }

  @Test
  void opponentColours_takeBrightnessApart() {
    // Two pixels, (1, 2, 3) and (4, 4, 4), a channel after the other.
    float[] image = image(new OpponentColours(), 1, 4, 2, 4, 3, 4);
    assertThat(image)
        .containsExactly(
            (float) (6 / Math.sqrt(3)),
            (float) (12 / Math.sqrt(3)),
            (float) (-1 / Math.sqrt(2)),
            0,
            (float) (-3 / Math.sqrt(6)),
            0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OpponentColours().outputs(4))
        .withMessage("opponent-colours is for images of 3 channels, not for rows of 4 values");
  }

  @Test
  void everyMap_isReadBackFromItsNumbers() {
    List<FeatureMap> maps =
        List.of(
            new Scale(0, 255),
            new L2Normalize(),
            new GroupNorm(81, 27),
            new OpponentColours(),
            new Hog(new Image(28, 30, 3), 4, 9, 2),
            new Scattering(new Image(32, 34, 3), 2, 8, false),
            new Scattering(new Image(32, 34, 3), 2, 8, true),
            new RandomFourier(1024, 0.5, 7, false),
            new RandomFourier(1024, 0.5, 7, true),
            new Polynomial(2),
            new Constant(),
            new PublicMean());
    assertThat(maps.stream().map(FeatureMap::name).distinct())
        .containsExactlyElementsOf(FeatureTypes.ALL.stream().map(FeatureType::name).toList());
    for (FeatureMap map : maps) {
      assertThat(FeatureMap.of(map.name(), map.parameters())).isEqualTo(map);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> FeatureMap.of(map.name(), Map.of("canary", 1)));
    }
  }
}
