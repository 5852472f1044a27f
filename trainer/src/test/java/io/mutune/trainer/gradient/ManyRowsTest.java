package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowBlocks.Block;
import io.mutune.trainer.loss.HingeLoss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * Neighbours of five million rows whose sums, added up in double one by one, round apart. A row of
 * one feature x adds x. Without the first row the sum stays just below 2^21, and with it just
 * above, where doubles are twice as far apart. Then 3·2^−32 and −4·2^−32 are added in turn: below,
 * both are whole multiples of what a double holds, so that a pair lowers the sum by 2^−32; above,
 * the first rounds up to the second, and a pair adds nothing.
 */
class ManyRowsTest {
  private static final double UNIT = 0x1p-32;
  private static final ClipNorm CLIP = ClipNorm.of(1);

  private static Block rows(int count, double... values) {
    float[] features = new float[count];
    for (int i = 0; i < count; i++) {
      features[i] = (float) values[i % values.length];
    }
    int[] labels = new int[count];
    Arrays.fill(labels, 1);
    return new Block(features, labels);
  }

  private static PrivateRows data(boolean withFirst) {
    List<Block> blocks = new ArrayList<>();
    if (withFirst) {
      blocks.add(rows(1, 1));
    }
    // 2^21 rows of 1 − 2^−11, and 2047 of ½: 2^21 − ½.
    blocks.addAll(Collections.nCopies(512, rows(4096, 1 - 0x1p-11)));
    blocks.add(rows(2047, 0.5));
    blocks.addAll(Collections.nCopies(700, rows(4096, 3 * UNIT, -4 * UNIT)));
    return new PrivateRows(new RowBlocks(1, blocks));
  }

  private static void assertWithinTheClipNorm(ToDoubleFunction<PrivateRows> sum) {
    double distance = Math.abs(sum.applyAsDouble(data(true)) - sum.applyAsDouble(data(false)));
    assertThat(distance).isLessThanOrEqualTo(CLIP.value());
    assertThat(distance).isEqualTo(1 - ClipNorm.MARGIN, offset(1e-9));
  }

  /** The hinge's slope between −½ and ½ is −1 on all of these rows. */
  @Test
  void slopesOfNeighbours_areWithinTheClipNorm() {
    assertWithinTheClipNorm(
        rows ->
            new ClippedLosses(rows, new HingeLoss(), 2)
                .slopes(new double[] {0.5}, new double[] {-0.5}, 1, CLIP));
  }

  @Test
  void sumsByTheReference_areWithinTheClipNorm() {
    assertWithinTheClipNorm(
        rows -> {
          double[] sum = new double[1];
          try (ClippedSum clipped = Engine.REFERENCE.open(rows, new HingeLoss(), 2, CLIP)) {
            clipped.compute(new double[1], sum);
          }
          return sum[0];
        });
  }
}
