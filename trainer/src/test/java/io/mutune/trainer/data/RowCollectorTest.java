package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.data.RowBlocks.Block;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.DataSpec;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowCollectorTest {
  @TempDir Path folder;

  private DataSpec numbered(int rows) {
    String text =
        IntStream.range(0, rows).mapToObj(i -> i + "," + i % 3).collect(Collectors.joining("\n"));
    return SmallData.withFeatures(SmallData.csv(SmallData.write(folder, "numbered", text)), 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64, 65, 4095, 4096, 4097, 8192, 10000})
  void rows_fillBlocksInOrder(int rows) throws IOException {
    RowBlocks read = SmallData.read(numbered(rows));
    assertThat(read.rows()).isEqualTo(rows);
    int next = 0;
    for (Block block : read.blocks()) {
      for (int row = 0; row < block.rows(); row++, next++) {
        assertThat(block.features()[row]).isEqualTo(next);
        assertThat(block.labels()[row]).isEqualTo(next % 3);
      }
    }
  }

  @Test
  void everyBlockButTheLast_isFull() throws IOException {
    assertThat(SmallData.read(numbered(10000)).blocks())
        .extracting(Block::rows)
        .containsExactly(4096, 4096, 1808);
  }

  @Test
  void featureMaps_areAppliedToEveryRow() throws IOException {
    RowBlocks read =
        RowCollector.collect(
            numbered(5000), FeaturePipeline.of(new Scale(0, 5000)), UnfitRows.REFUSED);
    assertThat(read.blocks().get(0).features()[2500]).isEqualTo(0.5f);
    assertThat(read.blocks().get(1).features()[903]).isEqualTo(4999 / 5000f);
  }

  @Test
  void missingFile_isNamed() {
    assertThatThrownBy(() -> SmallData.read(SmallData.csv(folder.resolve("gone.csv"))))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageEndingWith("gone.csv: there is no such file");
  }
}
