package io.mutune.trainer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.file.DataFormatException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows that are worked on at the same time. */
class ParallelRowsTest {
  private final DataFormatException problem =
      DataFormatException.in(Path.of("rows"), "does not fit");

  /** What arrives: the number, or "unfit". */
  private static final class Seen implements RowSink {
    private final List<String> rows = new ArrayList<>();

    @Override
    public void begin(int columns) {}

    @Override
    public void row(float[] values, int label, @Nullable String unit) {
      rows.add(label + ":" + (int) values[0] + unit);
    }

    @Override
    public void malformed(DataFormatException problem) {
      rows.add(problem.getMessage());
    }
  }

  private void add(ParallelRows together, int row) throws DataFormatException {
    if (row % 7 == 3) {
      together.malformed(problem);
      return;
    }
    together.then(
        0,
        values -> {
          // Every tenth takes longer than those after it.
          for (int i = 0; i < (row % 10 == 0 ? 100_000 : 1); i++) {
            values[0] = row + i % 2 * Math.ulp(1f);
          }
          values[0] = 2 * row;
          if (row % 7 == 5) {
            throw problem;
          }
          return new float[] {values[0]};
        });
    together.row(new float[1], row, "p" + row);
  }

  @Test
  void rowsComeInTheirOrder_withTheirOwnNumbersAndProblems() throws Exception {
    Seen seen = new Seen();
    ParallelRows together = new ParallelRows(seen);
    List<String> expected = new ArrayList<>();
    for (int row = 0; row < 1300; row++) {
      add(together, row);
      boolean fits = row % 7 != 3 && row % 7 != 5;
      expected.add(fits ? row + ":" + 2 * row + "p" + row : "rows: does not fit");
    }
    assertThat(seen.rows).hasSize(1024);
    together.handOn();
    assertThat(seen.rows).isEqualTo(expected);
  }

  @Test
  void rowsThatHoldMuch_doNotWaitForMany() throws Exception {
    Seen seen = new Seen();
    ParallelRows together = new ParallelRows(seen);
    for (int row = 0; row < 3; row++) {
      together.then(1 << 24, values -> new float[] {1});
      together.row(new float[1], row, null);
    }
    assertThat(seen.rows).containsExactly("0:1null", "1:1null");
    // Work is for one row alone.
    together.row(new float[1], 3, null);
    together.handOn();
    assertThat(seen.rows).containsExactly("0:1null", "1:1null", "2:1null", "3:0null");
  }

  @Test
  void aProblemThatIsNotToBePassedOver_endsTheReading() {
    ParallelRows together = new ParallelRows((RowSinkOfNothing) columns -> {});
    assertThatThrownBy(
            () -> {
              add(together, 5);
              together.handOn();
            })
        .isSameAs(problem);
  }

  private interface RowSinkOfNothing extends RowSink {
    @Override
    default void row(float[] values, int label, @Nullable String unit) {}
  }
}
