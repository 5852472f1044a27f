package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.NpyReaderTest;
import io.mutune.trainer.format.RowRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that stay in their file are the same rows. */
class MappedRowsTest {
  private static final int ROWS = 9_000;
  private static final FeaturePipeline HALVES = FeaturePipeline.of(new Scale(0, 2));

  @TempDir Path folder;

  private DataSpec.Part part(String name, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[3 * ROWS];
    int[] labels = new int[ROWS];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (2 * random.nextDouble());
    }
    for (int i = 0; i < ROWS; i++) {
      labels[i] = random.nextInt(3);
    }
    return new DataSpec.Part(
        SmallData.write(folder, name + "-x.npy", NpyReaderTest.floats(ROWS + ", 3", values)),
        SmallData.write(folder, name + "-y.npy", NpyReaderTest.bytes(labels)));
  }

  private DataSpec spec() {
    DataSpec.Part first = part("first", 1);
    return NpyReaderTest.spec(first.file(), first.labels());
  }

  private static void assertSameRows(RowBlocks mapped, RowBlocks held) {
    assertThat(mapped.inMemory()).isFalse();
    assertThat(mapped.rows()).isEqualTo(held.rows());
    assertThat(mapped.columns()).isEqualTo(held.columns());
    float[] expected = new float[(int) held.rows() * held.columns()];
    float[] found = expected.clone();
    flatten(held, expected);
    flatten(mapped, found);
    assertThat(found).isEqualTo(expected);
  }

  private static void flatten(RowBlocks rows, float[] all) {
    int at = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      System.arraycopy(block.features(), 0, all, at, block.features().length);
      at += block.features().length;
    }
  }

  @Test
  void mappedRows_areThoseInMemory() throws IOException {
    DataSpec spec = spec();
    assertSameRows(
        MappedRows.open(spec, HALVES, UnfitRows.REFUSED),
        RowCollector.collect(spec, HALVES, UnfitRows.REFUSED));
    DataSpec some = SmallData.withRange(spec, 17, 8_000);
    assertSameRows(
        MappedRows.open(some, HALVES, UnfitRows.REFUSED),
        RowCollector.collect(some, HALVES, UnfitRows.REFUSED));
    DataSpec parts = NpyReaderTest.withMore(spec, new RowRange(5_000, 14_000), part("second", 2));
    assertSameRows(
        MappedRows.open(parts, HALVES, UnfitRows.REFUSED),
        RowCollector.collect(parts, HALVES, UnfitRows.REFUSED));
  }

  /**
   * Every third row has a value that is no number or a label that is none, the first and last too.
   */
  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void rowsThatDoNotFit_areThoseInMemory_andTheSameFromTheCache(Adjacency adjacency)
      throws IOException {
    int rows = 2 * RowBlocks.BLOCK_ROWS + 5;
    float[] values = new float[3 * rows];
    int[] labels = new int[rows];
    for (int row = 0; row < rows; row++) {
      Arrays.fill(values, 3 * row, 3 * row + 3, 1 + row % 7);
      labels[row] = row % 6 == 0 ? 9 : row % 2;
      values[3 * row + 1] = row % 6 == 3 || row == rows - 1 ? Float.NaN : values[3 * row];
    }
    DataSpec spec =
        NpyReaderTest.spec(
            SmallData.write(folder, "x.npy", NpyReaderTest.floats(rows + ", 3", values)),
            SmallData.write(folder, "y.npy", NpyReaderTest.bytes(labels)));
    RowBlocks held = RowCollector.collect(spec, HALVES, UnfitRows.of(adjacency));
    RowBlocks left = MappedRows.open(spec, HALVES, UnfitRows.of(adjacency));
    assertSameRows(left, held);
    boolean slots = adjacency == Adjacency.REPLACE_ONE;
    assertThat(left.rows()).isEqualTo(slots ? rows : rows - (rows + 2) / 3);
    assertThat(left.blocks().get(0).labels()[0]).isEqualTo(slots ? RowBlocks.NO_LABEL : 1);
    FeatureCache cache = new FeatureCache(folder.resolve("kept"));
    RowStorage inFile = new RowStorage(rows, 1);
    for (int read = 0; read < 2; read++) {
      assertSameRows(FeatureCache.read(cache, spec, HALVES, inFile, UnfitRows.of(adjacency)), held);
    }
  }

  @Test
  void aSecondPass_readsTheSame() throws IOException {
    RowBlocks rows = MappedRows.open(spec(), HALVES, UnfitRows.REFUSED);
    float[] once = new float[3 * ROWS];
    float[] twice = new float[3 * ROWS];
    flatten(rows, once);
    flatten(rows, twice);
    assertThat(twice).isEqualTo(once);
  }

  @Test
  void rowsAreLeftInTheirFile_whereAsManyAsAreStatedWouldNotFit() throws IOException {
    DataSpec spec = spec();
    for (long stated : new long[] {1, ROWS - 1, ROWS, ROWS + 1, 1L << 40}) {
      long bytes = RowStorageTest.bytes(stated, 3, 3);
      assertThat(new RowStorage(stated, bytes).open(spec, HALVES, UnfitRows.REFUSED).inMemory())
          .isTrue();
      assertThat(new RowStorage(stated, bytes - 1).open(spec, HALVES, UnfitRows.REFUSED).inMemory())
          .isFalse();
    }
    Path packed =
        SmallData.write(
            folder, "x.gz", SmallData.gzip(NpyReaderTest.floats("2, 3", 1, 2, 3, 4, 5, 6)));
    DataSpec gzip =
        NpyReaderTest.spec(packed, SmallData.write(folder, "y", NpyReaderTest.bytes(0, 1)));
    assertThat(new RowStorage(ROWS, 1).open(gzip, HALVES, UnfitRows.REFUSED).inMemory()).isTrue();
  }

  @Test
  void whatIsWrong_showsWhenTheSetIsOpened() {
    Path rows =
        SmallData.write(folder, "x.npy", NpyReaderTest.floats("2, 1", 1, Float.POSITIVE_INFINITY));
    Path labels = SmallData.write(folder, "y.npy", NpyReaderTest.bytes(0, 1));
    assertThatThrownBy(
            () -> MappedRows.open(NpyReaderTest.spec(rows, labels), HALVES, UnfitRows.REFUSED))
        .isInstanceOf(DataFormatException.class)
        .hasMessageEndingWith("record 2: column 1 is not a finite float32 number");
  }
}
