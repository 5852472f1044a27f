package io.mutune.trainer.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HogTest {
  private static float[] image(Hog hog, float[] row) {
    float[] image = new float[hog.outputs(row.length)];
    hog.open(row.length).apply(row, 0, image, 0);
    return image;
  }

  @Test
  void anImageOfMnist_hasSixBySixBlocksOfFourCells() {
    assertThat(new Hog(Image.grey(28, 28), 4, 9, 2).outputs(784)).isEqualTo(6 * 6 * 4 * 9);
  }

  /** Brightness that grows to the right has an angle of 0: half way between the two end bins. */
  @Test
  void aSlopeToTheRight_votesForTheBinsAboutZero() {
    float[] slope = new float[64];
    for (int i = 0; i < 64; i++) {
      slope[i] = i % 8;
    }
    float[] cells = image(new Hog(Image.grey(8, 8), 8, 4, 1), slope);
    // Two equal votes: each is √½ of the norm, cut at 0.2, and √½ again.
    assertThat(cells[0]).isCloseTo((float) Math.sqrt(0.5), within(1e-4f));
    assertThat(cells[3]).isCloseTo((float) Math.sqrt(0.5), within(1e-4f));
    assertThat(cells[1]).isZero();
    assertThat(cells[2]).isZero();
  }

  @Test
  void theOppositeSlope_hasTheSameOrientation() {
    SplittableRandom random = new SplittableRandom(3);
    float[] here = new float[144];
    float[] negative = new float[144];
    for (int i = 0; i < here.length; i++) {
      here[i] = (float) random.nextDouble();
      negative[i] = 1 - here[i];
    }
    Hog hog = new Hog(Image.grey(12, 12), 4, 9, 2);
    float[] expected = image(hog, here);
    float[] found = image(hog, negative);
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i]).isCloseTo(expected[i], within(1e-5f)); // 1 − x is rounded by 6e-8
    }
  }

  /** The norm differs from 1 by what keeps flat blocks from a division by 0. */
  @Test
  void everyBlock_hasUnitNorm_andAFlatImageNone() {
    SplittableRandom random = new SplittableRandom(4);
    float[] row = new float[3 * 400];
    for (int i = 0; i < row.length; i++) {
      row[i] = (float) random.nextDouble();
    }
    Hog hog = new Hog(new Image(20, 20, 3), 5, 9, 2);
    float[] blocks = image(hog, row);
    for (int start = 0; start < blocks.length; start += 36) {
      double squares = 0;
      for (int i = start; i < start + 36; i++) {
        assertThat(blocks[i]).isNotNegative();
        squares += blocks[i] * (double) blocks[i];
      }
      assertThat(Math.sqrt(squares)).isCloseTo(1, within(1e-5));
    }
    assertThat(image(hog, new float[1200])).containsOnly(0);
  }

  /** 155² blocks of 97² cells of 19 orientations: 5979 modulo 2^32. */
  @Test
  void moreOutputsThanAnIntCounts_areRefused() {
    Hog hog = new Hog(Image.grey(251, 251), 1, 19, 97);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hog.outputs(251 * 251))
        .withMessage("hog would make 4294973275 features of a row, and may make 1048576");
  }

  @Test
  void anImageSmallerThanABlock_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Hog(Image.grey(7, 28), 4, 9, 2))
        .withMessage("hog: the image is smaller than one block of cells");
  }
}
