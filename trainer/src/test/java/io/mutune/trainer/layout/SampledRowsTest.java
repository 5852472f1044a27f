package io.mutune.trainer.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowBlocks.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class SampledRowsTest {
  private static final int ROWS = 10_000;

  /** Row i has the features i and −i, and the label i mod 3; blocks of uneven size. */
  private static PrivateRows rows(IntPredicate without) {
    List<Block> blocks = new ArrayList<>();
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      if (!without.test(i)) {
        open.add(i);
      }
      if (open.size() == 1000 + blocks.size() || i == ROWS - 1) {
        float[] features = new float[open.size() * 2];
        int[] labels = new int[open.size()];
        for (int r = 0; r < open.size(); r++) {
          features[2 * r] = open.get(r);
          features[2 * r + 1] = -open.get(r);
          labels[r] = open.get(r) % 3;
        }
        blocks.add(new Block(features, labels));
        open.clear();
      }
    }
    return new PrivateRows(new RowBlocks(2, blocks));
  }

  /** Takes the rows whose turn the test says it is. */
  private static RowSample turns(IntPredicate takes) {
    int[] next = {0};
    return () -> takes.test(next[0]++);
  }

  private static List<Integer> numbers(PrivateRows rows) {
    List<Integer> numbers = new ArrayList<>();
    for (Block block : rows.blocks().blocks()) {
      for (int r = 0; r < block.rows(); r++) {
        int number = (int) block.features()[2 * r];
        assertThat(block.features()[2 * r + 1]).isEqualTo(-number);
        assertThat(block.labels()[r]).isEqualTo(number % 3);
        numbers.add(number);
      }
    }
    return numbers;
  }

  @Test
  void theRowsThatTheSampleTakes_comeWholeAndInOrder() {
    PrivateRows taken = SampledRows.of(rows(i -> false), turns(i -> i % 7 == 2));

    List<Integer> expected = new ArrayList<>();
    for (int i = 2; i < ROWS; i += 7) {
      expected.add(i);
    }
    assertThat(numbers(taken)).isEqualTo(expected);
    assertThat(taken.blocks().rows()).isEqualTo(expected.size());
  }

  @Test
  void allAndNoRows_areSamplesToo() {
    assertThat(numbers(SampledRows.of(rows(i -> false), RowSample.ALL))).hasSize(ROWS);
    PrivateRows none = SampledRows.of(rows(i -> false), turns(i -> false));
    assertThat(none.blocks().rows()).isZero();
    assertThat(none.blocks().columns()).isEqualTo(2);
  }

  /** With the same coins for all others, a row that is not taken might as well not be there. */
  @Test
  void aRowThatIsNotTaken_leavesNoTrace() {
    PrivateRows with = SampledRows.of(rows(i -> false), turns(i -> i % 2 == 0));
    PrivateRows without =
        SampledRows.of(rows(i -> i == 4321), turns(i -> (i < 4321 ? i : i + 1) % 2 == 0));

    assertThat(without.blocks().blocks()).hasSameSizeAs(with.blocks().blocks());
    for (int b = 0; b < with.blocks().blocks().size(); b++) {
      assertThat(without.blocks().blocks().get(b).features())
          .isEqualTo(with.blocks().blocks().get(b).features());
    }
  }
}
