package io.mutune.trainer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ColumnGroupsTest {
  private static final List<String> YES = List.of("yes");
  private static final List<String> NO = List.of("no");

  private static final Table TABLE =
      Table.of(
          new Column("age", new HashedType(4, false)),
          new Column("region", new CategoryType(List.of("north", "south"), true, true)),
          new Column("member", new BooleanType(YES, NO, null)),
          new Column("asked", new BooleanType(YES, NO, true)),
          new Column("class", new LabelType(List.of("low", "high"), Map.of(), List.of())));

  private static List<String> groups(String column, String... texts) {
    ColumnGroups groups = ColumnGroups.of(TABLE, column).orElseThrow();
    Table alone = groups.alone(TABLE);
    TableEncoder encoder = new TableEncoder(alone, false);
    int at = TABLE.columns().stream().map(Column::name).toList().indexOf(column);
    float[] row = new float[alone.width()];
    List<String> found = new ArrayList<>();
    for (String text : texts) {
      encoder.cell(at).setText(text);
      assertThat(encoder.encode(row)).isTrue();
      found.add(groups.names().get(groups.group(row, alone.width(), 0)));
    }
    return found;
  }

  @Test
  void everyValueOfAColumn_isInTheGroupOfItsName() {
    assertThat(groups("region", "north", "south", "sea", ""))
        .containsExactly("north", "south", "(other)", "(missing)");
    assertThat(groups("member", "yes", "no")).containsExactly("yes", "no");
    assertThat(groups("asked", "yes", "", "no")).containsExactly("yes", "(missing)", "no");
  }

  @Test
  void otherColumns_makeNoGroups() {
    assertThat(ColumnGroups.columns(TABLE)).containsExactly("region", "member", "asked");
    assertThat(ColumnGroups.of(TABLE, "age")).isEmpty();
    assertThat(ColumnGroups.of(TABLE, "nowhere")).isEmpty();
  }
}
