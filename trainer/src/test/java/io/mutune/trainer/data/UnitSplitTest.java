package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.RowBlocks.Block;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.NpyReaderTest;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.IdType;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Units that are held out go by a keyed hash of themselves, and move nobody else. */
class UnitSplitTest {
  private static final ReservedCharge PROOF =
      () -> new Charge("trial 1", new Gaussian(NoiseMultiplier.of(1), 1, 1));

  private static final List<UnitSplit.Side> SIDES =
      List.of(new UnitSplit.Side(0, 0.2), new UnitSplit.Side(0.2, 0.5), new UnitSplit.Side(0.5, 1));

  private static final FeaturePipeline HALVES = FeaturePipeline.of(new Scale(0, 2));

  /**
   * Of a known key, under which each side has some of a few rows; of a new one it may have none.
   */
  private final UnitSplit split = new UnitSplit("a key".getBytes(StandardCharsets.UTF_8));

  @TempDir Path folder;

  private static List<String> rows(RowBlocks all) {
    List<String> rows = new ArrayList<>();
    for (Block block : all.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        int from = i * all.columns();
        float[] row = Arrays.copyOfRange(block.features(), from, from + all.columns());
        rows.add(Arrays.toString(row) + " " + block.labels()[i]);
      }
    }
    return rows;
  }

  private RowBlocks side(DataSpec spec, UnitSplit.Side side, @Nullable FeatureCache cache)
      throws IOException {
    return side(spec, split, side, cache);
  }

  private static RowBlocks side(
      DataSpec spec, UnitSplit of, UnitSplit.Side side, @Nullable FeatureCache cache)
      throws IOException {
    return new PrivateData(spec, 100, HALVES, cache)
        .under(Adjacency.ADD_REMOVE)
        .on(of, side)
        .rows(PROOF)
        .blocks();
  }

  private List<List<String>> sides(DataSpec spec) throws IOException {
    List<List<String>> sides = new ArrayList<>();
    for (UnitSplit.Side side : SIDES) {
      sides.add(rows(side(spec, side, null)));
    }
    return sides;
  }

  private DataSpec csv(List<String> lines) {
    Path file = SmallData.write(folder, "rows.csv", String.join("\n", lines) + "\n");
    return SmallData.withFeatures(SmallData.csv(file), 2);
  }

  /** Rows of which three at a time are equal but for their label. */
  private static List<String> lines() {
    return IntStream.range(0, 60)
        .mapToObj(i -> i % 20 / 10.0 + "," + i % 20 % 3 + "," + i % 3)
        .toList();
  }

  @Test
  void withoutARow_itsOwnSideLacksIt_andNoOtherRowMoves() throws IOException {
    List<String> lines = lines();
    List<List<String>> all = sides(csv(lines));
    assertThat(all).allSatisfy(side -> assertThat(side).isNotEmpty());
    assertThat(all.stream().mapToInt(List::size).sum()).isEqualTo(lines.size());
    for (int left = 0; left < lines.size(); left++) {
      List<String> others = new ArrayList<>(lines);
      others.remove(left);
      List<List<String>> without = sides(csv(others));
      int changed = 0;
      for (int side = 0; side < SIDES.size(); side++) {
        if (!without.get(side).equals(all.get(side))) {
          changed++;
          List<String> put = new ArrayList<>(all.get(side));
          for (String row : without.get(side)) {
            assertThat(put.remove(row)).isTrue();
          }
          assertThat(put).hasSize(1);
        }
      }
      assertThat(changed).isEqualTo(1);
    }
  }

  @Test
  void rowsOfEqualNumbers_areOnOneSide_whateverTheirLabels() throws IOException {
    List<List<String>> sides = sides(csv(lines()));
    Set<String> seen = new HashSet<>();
    for (List<String> side : sides) {
      Set<String> here = new HashSet<>();
      side.forEach(row -> here.add(row.substring(0, row.indexOf(']'))));
      assertThat(seen).doesNotContainAnyElementsOf(here);
      seen.addAll(here);
    }
    assertThat(split.place(new float[] {-0.0f, 1}, null))
        .isEqualTo(split.place(new float[] {0, 1}, null));
  }

  @Test
  void allRowsOfAPerson_areOnOneSide() throws IOException {
    Table table =
        new Table(
            List.of(
                new Column("who", new IdType()),
                new Column("x", new CategoryType(List.of("0", "1", "2"), false, false)),
                new Column("class", new LabelType(List.of("0", "1"), Map.of(), List.of()))),
            List.of(),
            "who");
    List<String> lines = new ArrayList<>(List.of("who,x,class"));
    for (int i = 0; i < 90; i++) {
      lines.add("p" + i % 30 + "," + i / 30 + ",1");
    }
    Path file = SmallData.write(folder, "people.csv", String.join("\n", lines) + "\n");
    DataSpec spec =
        DataSpec.of(
            List.of(file), DataFormat.CSV, CsvLayout.ofTable(',', true, false, 0), table, null);
    int people = 0;
    for (UnitSplit.Side side : SIDES) {
      RowUnits units = side(spec, side, null).units().orElseThrow();
      people += units.count();
      for (int unit = 0; unit < units.count(); unit++) {
        assertThat(units.size(unit)).isEqualTo(3);
      }
    }
    assertThat(people).isEqualTo(30);
  }

  @Test
  void rowsThatAreKeptInFiles_areTheSame() throws IOException {
    int rows = 500;
    float[] values = new float[3 * rows];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 91 / 50f;
    }
    DataSpec spec =
        NpyReaderTest.spec(
            SmallData.write(folder, "x.npy", NpyReaderTest.floats(rows + ", 3", values)),
            SmallData.write(folder, "y.npy", NpyReaderTest.bytes(new int[rows])));
    FeatureCache cache = new FeatureCache(folder.resolve("cache"));
    for (UnitSplit.Side side : SIDES) {
      List<String> plain = rows(side(spec, side, null));
      assertThat(plain).isNotEmpty().hasSizeLessThan(rows);
      UnfitRows taken = UnfitRows.of(Adjacency.ADD_REMOVE).on(split, side);
      RowBlocks mapped = MappedRows.open(spec, HALVES, taken);
      assertThat(mapped.inMemory()).isFalse();
      assertThat(rows(mapped)).isEqualTo(plain);
      assertThat(rows(side(spec, side, cache))).isEqualTo(plain);
      assertThat(rows(side(spec, side, cache))).as("read back").isEqualTo(plain);
    }
    UnitSplit other = new DataKey(folder.resolve("other")).split();
    assertThat(rows(side(spec, other, SIDES.get(2), cache)))
        .as("of another key nothing is read back")
        .isEqualTo(rows(side(spec, other, SIDES.get(2), null)));
  }

  /** A share is binomial; 7 deviations are passed by chance once in 4e11. */
  @Test
  void asManyAsItsShare_areOnASide_andOthersUnderAnotherKey() throws IOException {
    UnitSplit own = new DataKey(folder.resolve("key")).split();
    UnitSplit other = new DataKey(folder.resolve("other")).split();
    int units = 20_000;
    int held = 0;
    int both = 0;
    for (int i = 0; i < units; i++) {
      boolean here = SIDES.get(0).has(own.place(new float[0], "person " + i));
      boolean there = SIDES.get(0).has(other.place(new float[0], "person " + i));
      held += here ? 1 : 0;
      both += here && there ? 1 : 0;
    }
    assertThat(Math.abs(held - 0.2 * units)).isLessThan(7 * Math.sqrt(0.2 * 0.8 * units));
    assertThat(Math.abs(both - 0.04 * units)).isLessThan(7 * Math.sqrt(0.04 * 0.96 * units));
    assertThat(other.tag("a")).isNotEqualTo(own.tag("a"));
    assertThat(own.tag("b")).isNotEqualTo(own.tag("a"));
    assertThat(new DataKey(folder.resolve("key")).split().tag("a")).isEqualTo(own.tag("a"));
  }

  @Test
  void whereUnitsAreReplaced_noneIsHeldOut() {
    PrivateData replaced =
        new PrivateData(csv(lines()), 100, HALVES, null).under(Adjacency.REPLACE_ONE);
    assertThatThrownBy(() -> replaced.on(split, SIDES.get(0)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
