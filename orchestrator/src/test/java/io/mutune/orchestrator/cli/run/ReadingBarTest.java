package io.mutune.orchestrator.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often rows that are read are shown, by a clock of the test. */
class ReadingBarTest {
  private static final long MILLI = 1_000_000;

  private long now = Long.MAX_VALUE - 100 * MILLI; // nanoTime may pass the greatest number
  private final List<Long> shown = new ArrayList<>();
  private final ReadingBar bar = new ReadingBar(shown::add, () -> now);

  private void rows(int count, long nanosEach) {
    for (int i = 0; i < count; i++) {
      bar.row();
      now += nanosEach;
    }
  }

  @Test
  void whatIsReadAtOnce_isNotShown() {
    rows(499, MILLI);
    assertThat(shown).isEmpty();
  }

  /** Rows 501, 601, 701 and so on begin 500, 600, 700 milliseconds after the first. */
  @Test
  void whatTakesLonger_isShownTenTimesASecond() {
    rows(1000, MILLI);
    assertThat(shown).containsExactly(501L, 601L, 701L, 801L, 901L);
  }

  @Test
  void slowRows_areShownEach_andThoseThatWereKeptWithThem() {
    bar.kept();
    bar.kept();
    rows(3, 700 * MILLI);
    assertThat(shown).containsExactly(4L, 5L);
  }
}
