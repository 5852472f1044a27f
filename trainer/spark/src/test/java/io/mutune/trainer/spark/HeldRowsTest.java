package io.mutune.trainer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeldRowsTest {
  private static final long MEGABYTE = 1 << 20;

  /** In a sixth of the driver's heap, of which the room is a third. */
  @ParameterizedTest
  @CsvSource({"2,128,1400,2", "100,128,1400,2", "100,10,1400,35", "100,1000,1400,1"})
  void partsOnTheirWay_areAsManyAsTheDriverHasMemoryFor(
      int cores, long part, long room, int together) {
    assertThat(HeldRows.together(cores, part * MEGABYTE, room * MEGABYTE)).isEqualTo(together);
  }
}
