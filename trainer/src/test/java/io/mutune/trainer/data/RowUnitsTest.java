package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.trainer.model.TestRows;
import java.util.Arrays;
import java.util.List;
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

  @Test
  void ofAPersonsRows_atMostTheLimitIsKept_whateverOthersContribute() {
    UnitLimit limit = new UnitLimit(2, KEY);
    int[] alone = limit.kept(new int[] {0, 0, 0, 0, 0}, List.of("ann"));
    assertThat(Arrays.stream(alone).filter(unit -> unit == 0).count()).isEqualTo(2);
    int[] beside =
        limit.kept(new int[] {0, 1, 1, 0, 1, RowUnits.NONE, 1, 1}, List.of("bob", "ann"));
    int[] ofAnn = {beside[1], beside[2], beside[4], beside[6], beside[7]};
    assertThat(Arrays.stream(ofAnn).map(unit -> unit < 0 ? unit : 0).toArray())
        .containsExactly(alone);
    assertThat(beside[0]).isZero();
    assertThat(beside[3]).isZero();
  }

  /** Each of 4000 people keeps one row of four; 7 deviations, by chance below 1e-11. */
  @Test
  void everyRowIsAsLikelyToBeKept() {
    int[] unitOf = new int[16_000];
    Arrays.setAll(unitOf, row -> row / 4);
    List<String> ids = Arrays.stream(unitOf).distinct().mapToObj(unit -> "p" + unit).toList();
    int[] kept = new UnitLimit(1, KEY).kept(unitOf, ids);
    int[] counts = new int[4];
    for (int row = 0; row < kept.length; row++) {
      counts[row % 4] += kept[row] == RowUnits.NONE ? 0 : 1;
    }
    assertThat(Arrays.stream(counts).boxed()).allMatch(count -> Math.abs(count - 1000) <= 192);
  }
}
