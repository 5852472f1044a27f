package io.mutune.orchestrator.display;

import static org.assertj.core.api.Assertions.assertThat;

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
        .hasToString(new TextTable("name", "mean").row("a", "1").row("b", "").toString());
  }

  @Test
  void namesInMarkdown_canBeShownAsTheyAre() {
    DataTable table = new DataTable(List.of("*job*"), List.of(DataTable.row("a|<b>_c_")));
    assertThat(table.escaped().markdown())
        .isEqualTo("| \\*job\\* |\n| --- |\n| a\\|\\<b>\\_c\\_ |\n");
    assertThat(table.markdown()).contains("| *job* |", "| a\\|<b>_c_ |");
  }
}
