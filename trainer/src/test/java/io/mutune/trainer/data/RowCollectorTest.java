package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.RowBlocks.Block;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RowMap;
import io.mutune.trainer.feature.RowSteps;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.IdType;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
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

  private DataSpec ofPeople(int people, int rows) {
    String text =
        IntStream.range(0, people * rows)
            .mapToObj(i -> "p%d,%d,no".formatted(i % people, i))
            .collect(Collectors.joining("\n", "who,value,y\n", "\n"));
    Table table =
        new Table(
            List.of(
                new Column("who", new IdType()),
                new Column("value", new NumberType(new Scaled(0, 1e6, true, 0), null)),
                new Column("y", new LabelType(List.of("no", "yes"), Map.of(), List.of()))),
            List.of(),
            "who",
            2);
    Path file = SmallData.write(folder, "people", text);
    CsvLayout headed = CsvLayout.ofTable(',', true, false, 0);
    return DataSpec.of(List.of(file), DataFormat.CSV, headed, table, null);
  }

  /** The values of the rows of each unit, sorted, by where its first row stood. */
  private static Map<Integer, List<Float>> valuesByUnit(RowBlocks rows) {
    RowUnits units = rows.units().orElseThrow();
    Map<Integer, List<Float>> values = new TreeMap<>();
    for (int unit = 0; unit < units.count(); unit++) {
      List<Float> own = new ArrayList<>();
      for (int i = 0; i < units.size(unit); i++) {
        int row = units.row(unit, i);
        Block block = rows.blocks().get(row / RowBlocks.BLOCK_ROWS);
        own.add(block.features()[row % RowBlocks.BLOCK_ROWS * rows.columns()]);
      }
      own.sort(null);
      values.put(units.firstRow(unit), own);
    }
    return values;
  }

  /** Rows of public files are all there, and those that do not count are nobody's. */
  @Test
  void ofProtectedRowsOfPeople_onlyThoseThatCountAreKept() throws IOException {
    for (DataSpec spec : List.of(ofPeople(5_000, 5), ofPeople(1, 10_000))) {
      RowBlocks all = RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.REFUSED);
      RowBlocks kept =
          RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.of(Adjacency.ADD_REMOVE));
      int people = all.units().orElseThrow().count();
      assertThat(all.rows()).isEqualTo(people == 1 ? 10_000 : 25_000);
      assertThat(kept.rows()).isEqualTo(2L * people);
      assertThat(valuesByUnit(kept)).isEqualTo(valuesByUnit(all));
    }
  }

  /** Counts how often it is made ready, which takes long of some maps. */
  private record Counted(AtomicInteger opened) implements FeatureMap {
    @Override
    public int outputs(int inputs) {
      return inputs;
    }

    @Override
    public RowMap open(int inputs) {
      opened.incrementAndGet();
      return (in, from, out, to) -> System.arraycopy(in, from, out, to, inputs);
    }

    @Override
    public void describe(int inputs, RowSteps to) {}

    @Override
    public String name() {
      return "counted";
    }

    @Override
    public Map<String, Double> parameters() {
      return Map.of();
    }
  }

  /**
   * Some thousand rows take the place of others, in blocks that are mapped already. In a pool of
   * its own: the common one has a thread more for a while where another test's task in it has
   * blocked.
   */
  @Test
  void mapsAreMadeReady_onceAThreadAndBlock_howeverManyRowsTakeThePlaceOfOthers() throws Exception {
    AtomicInteger opened = new AtomicInteger();
    int threads = ForkJoinPool.getCommonPoolParallelism() + 1;
    ForkJoinPool pool = new ForkJoinPool(threads);
    try {
      pool.submit(
              () ->
                  RowCollector.collect(
                      ofPeople(5_000, 5),
                      FeaturePipeline.of(new Counted(opened)),
                      UnfitRows.of(Adjacency.ADD_REMOVE)))
          .get();
    } finally {
      pool.shutdown();
    }
    assertThat(opened.get()).isBetween(4, 3 * threads + 1);
  }

  @Test
  void missingFile_isNamed() {
    assertThatThrownBy(() -> SmallData.read(SmallData.csv(folder.resolve("gone.csv"))))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageEndingWith("gone.csv: there is no such file");
  }
}
