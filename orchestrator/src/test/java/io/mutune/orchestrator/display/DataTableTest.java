package io.mutune.orchestrator.display;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class DataTableTest {
  @Test
  void aColumnThatSaysNothing_canBeLeftOut() {
    DataTable table =
        new DataTable(
            List.of("name", "mean", "guards"),
            List.of(DataTable.row("a", "1", ""), DataTable.row("b", "", "-")));

    assertThat(table.withoutEmptyColumns())
        .isEqualTo(
            new DataTable(
                List.of("name", "mean"), List.of(DataTable.row("a", "1"), DataTable.row("b", ""))))
        .hasToString("name  mean\n----------\na        1\nb\n");
  }

  @Test
  void namesInMarkdown_canBeShownAsTheyAre() {
    DataTable table = new DataTable(List.of("*job*"), List.of(DataTable.row("a|<b>_c_")));
    assertThat(table.escaped().markdown())
        .isEqualTo("| \\*job\\* |\n| --- |\n| a\\|\\<b>\\_c\\_ |\n");
    assertThat(table.markdown()).contains("| *job* |", "| a\\|<b>_c_ |");
  }

  @Test
  void words_standToTheLeftAndNumbersToTheRight() {
    String table =
        table(
                List.of("charge", "mu", "score"),
                DataTable.row("trial 1", "0.5", "81.25%"),
                DataTable.row("final", "1.25e-05", ""))
            .toString();

    assertThat(table)
        .isEqualTo(
            """
            charge         mu   score
            -------------------------
            trial 1       0.5  81.25%
            final    1.25e-05
            """);
  }

  @Test
  void aColumnWithOneWord_standsToTheLeft() {
    assertThat(table(List.of("score", "x"), DataTable.row("1.5", "1"), DataTable.row("lost", "22")))
        .hasToString(
            """
            score   x
            ---------
            1.5     1
            lost   22
            """);
  }

  @Test
  void lettersBeyondTheBasicPlane_areOneColumnWide() {
    String letter = Character.toString(0x1D707);

    assertThat(table(List.of(letter, "b"), DataTable.row(letter, "c")))
        .hasToString(letter + "  b\n----\n" + letter + "  c\n");
  }

  @Test
  void aTableWithoutRows_isItsHead() {
    assertThat(table(List.of("one", "two"))).hasToString("one  two\n--------\n");
  }

  @Test
  void aRowOfAnotherWidth_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table(List.of("one"), DataTable.row("a", "b")));
  }

  private static DataTable table(List<String> head, DataTable.Row... rows) {
    return new DataTable(head, List.of(rows));
  }
}
