package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.format.TargetRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowArraysTest {
  @TempDir Path folder;

  private RowBlocks writtenAndRead(RowBlocks rows) throws IOException {
    Path features = folder.resolve("features.npy");
    Path labels = folder.resolve("labels.npy");
    RowArrays.writeFeatures(features, rows);
    RowArrays.writeLabels(labels, rows);
    return RowArrays.read(features, Optional.of(labels));
  }

  private static RowBlocks rows(int count, boolean real) {
    float[] features = new float[2 * count];
    int[] labels = new int[count];
    for (int i = 0; i < count; i++) {
      features[2 * i] = i;
      features[2 * i + 1] = -0.5f * i;
      labels[i] = real ? TargetRange.code(-1 + i / 8192.0) : i % 3;
    }
    labels[1] = RowBlocks.NO_LABEL;
    return blocks(features, labels, real);
  }

  private static RowBlocks blocks(float[] features, int[] labels, boolean real) {
    int most = RowBlocks.BLOCK_ROWS;
    List<RowBlocks.Block> blocks = new ArrayList<>();
    for (int first = 0; first < labels.length; first += most) {
      int end = Math.min(labels.length, first + most);
      blocks.add(
          new RowBlocks.Block(
              Arrays.copyOfRange(features, 2 * first, 2 * end),
              Arrays.copyOfRange(labels, first, end)));
    }
    return new RowBlocks(2, blocks, real);
  }

  /** Targets of 13 bits are exact in float32. */
  @Test
  void rows_areReadAsTheyWere() throws IOException {
    for (boolean real : new boolean[] {false, true}) {
      RowBlocks rows = rows(RowBlocks.BLOCK_ROWS + 5, real);
      RowBlocks read = writtenAndRead(rows);
      assertThat(read.realTargets()).isEqualTo(real);
      assertThat(read.blocks()).usingRecursiveComparison().isEqualTo(rows.blocks());
    }
  }

  /** Any program would have to leave it out, and one that forgets would tell that it is there. */
  @Test
  void aRowWithANumberThatIsNotFinite_isASlotWithoutARow() throws IOException {
    float[] features = {1, 2, Float.NaN, 3, 4, Float.NEGATIVE_INFINITY, 5, 6};
    int no = RowBlocks.NO_LABEL;
    for (boolean real : new boolean[] {false, true}) {
      RowBlocks read = writtenAndRead(blocks(features, new int[] {1, 1, 2, 0}, real));
      RowBlocks.Block block = read.blocks().get(0);
      assertThat(block.features()).containsExactly(1, 2, 0, 0, 0, 0, 5, 6);
      assertThat(block.labels()[0]).isNotEqualTo(no);
      assertThat(block.labels()[1]).isEqualTo(no);
      assertThat(block.labels()[2]).isEqualTo(no);
      assertThat(block.labels()[3]).isNotEqualTo(no);
    }
  }

  @Test
  void scores_areReadAsTheyWere() throws IOException {
    Path file = folder.resolve("scores.npy");
    float[] scores = {1, 2, 3, 4, 5, 6};
    RowArrays.writeScores(file, scores, 3);
    assertThat(RowArrays.readScores(file, 2, 3)).containsExactly(scores);
  }

  /**
   * As {@code numpy.save} writes a transposed product: the numbers of a column one after another.
   */
  @Test
  void scoresInFortranOrder_areThoseOfTheirRows() throws IOException {
    Path file = folder.resolve("scores.npy");
    float[] scores = {1, 2, 3, 4, 5, 6, 7, 8};
    RowArrays.writeScores(file, scores, 2);
    assertThat(RowArrays.readScores(file, 4, 2)).containsExactly(scores);

    RowArrays.writeScores(file, new float[] {1, 3, 5, 7, 2, 4, 6, 8}, 2);
    byte[] npy = Files.readAllBytes(file);
    String header =
        new String(npy, StandardCharsets.ISO_8859_1).replace("False", "True").replace("\n", " \n");
    Files.write(file, header.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(RowArrays.readScores(file, 4, 2)).containsExactly(scores);
  }
}
