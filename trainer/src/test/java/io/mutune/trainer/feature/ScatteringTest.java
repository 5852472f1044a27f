package io.mutune.trainer.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.testing.Effort;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScatteringTest {
  private static final Scattering MNIST = new Scattering(Image.grey(28, 28), 2, 8, false);

  @Test
  void anImageOfMnist_becomesEightyOneMapsOfSevenBySeven() {
    assertThat(MNIST.maps()).isEqualTo(81);
    assertThat(MNIST.outputs(784)).isEqualTo(3969);
    assertThat(new Scattering(new Image(32, 32, 3), 2, 8, false).outputs(3072))
        .isEqualTo(3 * 81 * 64);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MNIST.outputs(783))
        .withMessage(
            "scattering of images of 28 x 28 with 1 channels is not for rows of 783 values");
  }

  /** Float32 keeps a constant to 6e-8 of itself; the filters' sums are 0 to 1e-15. */
  @Test
  void aConstantImage_isInTheFirstMapAlone() {
    float[] image = new float[784];
    Arrays.fill(image, 0.75f);
    float[] features = image(MNIST, image);
    for (int i = 0; i < features.length; i++) {
      assertThat(features[i]).isCloseTo(i < 49 ? 0.75f : 0, within(1e-6f));
    }
  }

  /**
   * Convolutions written out in the pixels, by a program that shares nothing with the fast one. The
   * images have values in [0, 1], the results are rounded to float32.
   */
  @ParameterizedTest
  @CsvSource({"8, 8, 2, 4", "12, 8, 2, 3", "9, 11, 1, 2", "17, 9, 3, 2"})
  void features_areThoseOfConvolutionsWrittenOut(int height, int width, int scales, int angles) {
    Scattering scattering = new Scattering(Image.grey(height, width), scales, angles, false);
    SplittableRandom random = new SplittableRandom(height);
    float[] image = randomImage(random, height * width);
    double[] expected = new NaiveScattering(height, width, scales, angles).of(image);
    float[] found = image(scattering, image);
    assertThat(found).hasSize(expected.length);
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i]).as("feature " + i).isCloseTo((float) expected[i], within(2e-7f));
    }
  }

  /** The file says of which image. Kymatio's low-pass filter sums to 1.00003, in float32. */
  @Test
  void features_areThoseOfKymatio() throws IOException {
    float[] image = new float[256];
    for (int i = 0; i < image.length; i++) {
      image[i] = (31 * i * i + 17 * i) % 256 / 255f;
    }
    double[] expected;
    try (InputStream file = ScatteringTest.class.getResourceAsStream("scattering-kymatio.csv")) {
      expected =
          new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .flatMap(line -> Arrays.stream(line.split(",", -1)))
              .mapToDouble(Double::parseDouble)
              .toArray();
    }
    float[] found = image(new Scattering(Image.grey(16, 16), 2, 4, false), image);
    assertThat(found).hasSize(expected.length);
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i]).as("feature " + i).isCloseTo((float) expected[i], within(3e-5f));
    }
  }

  /**
   * Of each layer ‖Wx‖² ≤ A‖x‖² with A the greatest sum over the filters of their squared responses
   * at a frequency and its opposite; moduli and leaving values out bring nothing further apart. The
   * mirrored border counts a pixel up to four times.
   */
  @Test
  void images_areNotMovedFurtherApart() {
    double frame = greatestResponse(36, 2, 8);
    assertThat(frame).isLessThan(1.2);
    double bound = 2 * Math.max(1, frame);
    SplittableRandom random = new SplittableRandom(6);
    for (int round = 0; round < Effort.of(6, 20); round++) {
      float[] x = randomImage(random, 784);
      float[] y = round % 2 == 0 ? randomImage(random, 784) : nearby(x, random);
      assertThat(distance(image(MNIST, x), image(MNIST, y)))
          .isLessThanOrEqualTo(bound * distance(x, y));
      // What is averaged over 4 x 4 pixels is kept at one of them: a quarter is what is left.
      assertThat(distance(image(MNIST, x), image(MNIST, y))).isLessThan(distance(x, y));
    }
  }

  /** A stroke moved by a quarter of 2^J is another image to the pixels and much the same here. */
  @Test
  void aSmallMove_changesLittle() {
    float[] here = stroke(12);
    float[] there = stroke(13);
    double pixels = distance(here, there) / distance(here, new float[784]);
    float[] features = image(MNIST, here);
    double scattered =
        distance(features, image(MNIST, there)) / distance(features, new float[features.length]);
    assertThat(pixels).isGreaterThan(0.8);
    assertThat(scattered).isLessThan(0.3 * pixels);
  }

  @Test
  void channels_areScatteredOneByOne() {
    SplittableRandom random = new SplittableRandom(8);
    float[] two = randomImage(random, 2 * 64);
    float[] both = image(new Scattering(new Image(8, 8, 2), 2, 4, false), two);
    float[] second =
        image(new Scattering(Image.grey(8, 8), 2, 4, false), Arrays.copyOfRange(two, 64, 128));
    assertThat(Arrays.copyOfRange(both, second.length, 2 * second.length)).isEqualTo(second);
  }

  /** 12 and 9 pixels: three columns of a map, of which two are kept, and two, of which one is. */
  @ParameterizedTest
  @CsvSource({"12, 2", "9, 1"})
  void mirrored_anImageAndItsMirrorImageAreTheMeanOfBoth(int width, int kept) {
    Image size = new Image(8, width, 2);
    float[] image = randomImage(new SplittableRandom(width), size.size());
    float[] mirror = new float[image.length];
    for (int i = 0; i < image.length; i++) {
      mirror[i] = image[i - i % width + width - 1 - i % width];
    }
    float[] plain = image(new Scattering(size, 2, 4, false), image);
    float[] ofMirror = image(new Scattering(size, 2, 4, false), mirror);
    int columns = width / 4;
    float[] expected = new float[plain.length / columns * kept];
    for (int i = 0; i < expected.length; i++) {
      int at = i / kept * columns + i % kept;
      expected[i] = (plain[at] + ofMirror[at]) / 2;
    }
    Scattering mirrored = new Scattering(size, 2, 4, true);
    assertThat(image(mirrored, image)).isEqualTo(expected);
    assertThat(image(mirrored, mirror)).isEqualTo(expected);
    assertThat(FeatureMap.of(mirrored.name(), mirrored.parameters())).isEqualTo(mirrored);
  }

  @Test
  void imagesSmallerThanAFilter_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Scattering(Image.grey(28, 4), 2, 8, false))
        .withMessageContaining("more than 4 pixels a side");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Scattering(Image.grey(28, 28), 0, 8, false));
  }

  private static float[] stroke(int column) {
    float[] image = new float[784];
    for (int row = 6; row < 22; row++) {
      image[row * 28 + column] = 1;
    }
    return image;
  }

  private static float[] randomImage(SplittableRandom random, int size) {
    float[] image = new float[size];
    for (int i = 0; i < size; i++) {
      image[i] = (float) random.nextDouble();
    }
    return image;
  }

  private static float[] nearby(float[] x, SplittableRandom random) {
    float[] y = x.clone();
    y[random.nextInt(y.length)] += 1;
    return y;
  }

  private static double greatestResponse(int size, int scales, int angles) {
    MorletFilters filters = new MorletFilters(size, size, angles);
    double[] sums = new double[size * size];
    for (int j = 0; j < scales; j++) {
      for (int t = 0; t < angles; t++) {
        double[] wavelet = filters.wavelet(j, t);
        for (int i = 0; i < size; i++) {
          for (int k = 0; k < size; k++) {
            double here = wavelet[i * size + k];
            double opposite = wavelet[(size - i) % size * size + (size - k) % size];
            sums[i * size + k] += (here * here + opposite * opposite) / 2;
          }
        }
      }
    }
    double sigma = 0.8 * (1 << (scales - 1));
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < size; k++) {
        double squared = Math.pow(frequency(i, size), 2) + Math.pow(frequency(k, size), 2);
        sums[i * size + k] += Math.exp(-sigma * sigma * squared);
      }
    }
    return Arrays.stream(sums).max().orElseThrow();
  }

  private static double frequency(int k, int size) {
    return 2 * Math.PI * (2 * k < size ? k : k - size) / size;
  }

  private static float[] image(FeatureMap map, float[] row) {
    float[] image = new float[map.outputs(row.length)];
    map.open(row.length).apply(row, 0, image, 0);
    return image;
  }

  private static double distance(float[] a, float[] b) {
    double squares = 0;
    for (int i = 0; i < a.length; i++) {
      squares += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
    }
    return Math.sqrt(squares);
  }
}
