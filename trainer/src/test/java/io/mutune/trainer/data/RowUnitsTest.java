package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.trainer.gradient.TestRows;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowUnitsTest {
  private static final byte[] KEY = {1, 2, 3};

  @Test
  void aUnitHasItsRowsInTheirOrder_andRowsOfNobodyAreInNone() {
    RowUnits units = RowUnits.of(new int[] {0, 1, 0, RowUnits.NONE, 2, 0});
    assertThat(units.count()).isEqualTo(3);
    assertThat(units.size(0)).isEqualTo(3);
    assertThat(units.row(0, 1)).isEqualTo(2);
    assertThat(units.row(2, 0)).isEqualTo(4);
    assertThat(units.of(3)).isEqualTo(RowUnits.NONE);
  }

  @Test
  void unitsOutOfOrderOrOfTooManyRows_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> RowUnits.of(new int[] {1, 0}));
    assertThatIllegalArgumentException().isThrownBy(() -> RowUnits.of(new int[] {0, 2}));
    assertThatIllegalArgumentException().isThrownBy(() -> RowUnits.of(new int[65]));
    assertThat(RowUnits.of(new int[64]).size(0)).isEqualTo(64);
  }

  @Test
  void rowsBesideThem_areUnitsOfTheirOwn() {
    RowBlocks some = TestRows.blocks(new float[3][2], new int[3]);
    RowBlocks all = some.withUnits(RowUnits.of(new int[] {0, 0, 1})).and(some);
    RowUnits units = all.units().orElseThrow();
    assertThat(units.rows()).isEqualTo(6);
    assertThat(units.count()).isEqualTo(5);
    assertThat(units.of(5)).isEqualTo(4);
    assertThat(some.and(some).units()).isEmpty();
  }

  /** Of each row, in order, whether it is kept in the end. */
  private static boolean[] kept(UnitLimit limit, @Nullable String... ids) {
    int[] placed = new int[ids.length];
    boolean[] kept = new boolean[ids.length];
    for (int row = 0; row < ids.length; row++) {
      int place = limit.place(ids[row]);
      if (place != UnitLimit.NOWHERE) {
        if (placed[place] > 0) {
          kept[placed[place] - 1] = false;
        }
        kept[row] = true;
        placed[place] = row + 1;
      }
    }
    return kept;
  }

  @Test
  void ofAPersonsRows_atMostTheLimitIsKept_whateverOthersContribute() {
    boolean[] alone = kept(new UnitLimit(2, KEY), "ann", "ann", "ann", "ann", "ann");
    assertThat(count(alone)).isEqualTo(2);
    boolean[] beside =
        kept(new UnitLimit(2, KEY), "bob", "ann", "ann", "bob", "ann", null, "ann", "ann");
    assertThat(new boolean[] {beside[1], beside[2], beside[4], beside[6], beside[7]})
        .containsExactly(alone);
    assertThat(beside[0] && beside[3]).isTrue();
    assertThat(beside[5]).isFalse();
  }

  private static int count(boolean[] kept) {
    int count = 0;
    for (boolean one : kept) {
      count += one ? 1 : 0;
    }
    return count;
  }

  @Test
  void rowsAreInThePlacesOfThoseThatCountNoMore_andTheFirstOfThemIsKnown() {
    UnitLimit limit = new UnitLimit(1, KEY);
    String[] ids = {null, "ann", "bob", "ann", "ann", "bob", "ann"};
    boolean[] kept = kept(limit, ids);
    RowUnits units = limit.units();
    assertThat(units.rows()).isEqualTo(2);
    assertThat(units.count()).isEqualTo(2);
    RowUnits all = limit.unitsOfAll();
    assertThat(all.rows()).isEqualTo(7);
    for (int row = 0; row < ids.length; row++) {
      assertThat(all.of(row) != RowUnits.NONE).isEqualTo(kept[row]);
    }
    assertThat(kept[units.firstRow(0)] && "ann".equals(ids[units.firstRow(0)])).isTrue();
    assertThat(kept[units.firstRow(1)] && "bob".equals(ids[units.firstRow(1)])).isTrue();
  }

  /** Each of 4000 people keeps one row of four; 7 deviations, by chance below 1e-11. */
  @Test
  void everyRowIsAsLikelyToBeKept() {
    String[] ids = new String[16_000];
    Arrays.setAll(ids, row -> "p" + row / 4);
    boolean[] kept = kept(new UnitLimit(1, KEY), ids);
    int[] counts = new int[4];
    for (int row = 0; row < kept.length; row++) {
      counts[row % 4] += kept[row] ? 1 : 0;
    }
    assertThat(Arrays.stream(counts).boxed()).allMatch(count -> Math.abs(count - 1000) <= 192);
  }
}
