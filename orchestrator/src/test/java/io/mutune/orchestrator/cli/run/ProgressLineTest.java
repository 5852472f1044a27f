package io.mutune.orchestrator.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressLineTest {
  private static final String BUDGET = "epsilon 0.364 of 1, mu 0.101 of 0.281";

  private final ProgressLine steps = new ProgressLine("steps");

  @Test
  void whatMattersLeast_isLeftOutFirst_andWhole() {
    assertThat(line(120, BUDGET))
        .isEqualTo(
            "trials  37% [==========                  ], 0:11 left, 1110/3000 steps, 182/s, "
                + BUDGET);
    assertThat(line(79, ""))
        .isEqualTo("trials  37% [==========                  ], 0:11 left, 1110/3000 steps, 182/s");
    assertThat(line(79, BUDGET))
        .isEqualTo("trials  37%, 0:11 left, 1110/3000 steps, 182/s, epsilon 0.364 of 1");
    assertThat(line(39, BUDGET)).isEqualTo("trials  37%, 0:11 left, 1110/3000 steps");
    assertThat(line(30, BUDGET)).isEqualTo("trials  37%, 0:11 left");
    assertThat(line(8, BUDGET)).isEqualTo("trials  ");
  }

  private String line(int columns, String beside) {
    return steps.line(columns, "trials", 1110, 3000, OptionalDouble.of(182), beside);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 39, 79, 200})
  void aLine_isNeverLongerThanItsTerminal(int columns) {
    assertThat(line(columns, BUDGET)).hasSizeLessThanOrEqualTo(columns);
  }

  @Test
  void beforeItsSpeedIsKnown_aLineSaysNone_andAtTheEnd_noTimeIsLeft() {
    assertThat(steps.line(79, "trials", 0, 3000, OptionalDouble.empty(), ""))
        .startsWith("trials   0% [ ")
        .endsWith("], 0/3000 steps");
    assertThat(steps.line(39, "trials", 3000, 3000, OptionalDouble.of(0.25), ""))
        .isEqualTo("trials 100%, 3000/3000 steps, 0.3/s");
  }

  @Test
  void whereNobodySaysHowMuchThereIs_timeAndCountAreShown() {
    ProgressLine rows = new ProgressLine("rows");
    assertThat(rows.endless(79, "rows.tsv", 300, 12.5)).isEqualTo("rows.tsv, 0:12, 300 rows, 24/s");
    assertThat(rows.endless(79, "reading rows", 0, 2)).isEqualTo("reading rows, 0:02");
    assertThat(rows.endless(12, "rows.tsv", 300, 12.5)).isEqualTo("rows.tsv");
  }
}
