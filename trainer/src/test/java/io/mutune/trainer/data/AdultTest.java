package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.testing.SharedFolder;
import io.mutune.trainer.check.DataCheck;
import io.mutune.trainer.check.DataReport;
import io.mutune.trainer.check.DataReport.ClassCount;
import io.mutune.trainer.check.DraftColumn;
import io.mutune.trainer.check.TableDraft;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.CellFit;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.ColumnType;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** UCI Adult as it is distributed: no header, blanks after commas, ? for what is missing. */
class AdultTest {
  private static final Path TRAINING = SharedFolder.file("data/adult.data.gz");
  private static final Path TEST = SharedFolder.file("data/adult.test.gz");

  /** What an owner makes of the draft without a change but for the label. */
  private static Table table(TableDraft draft) {
    List<Column> columns = new ArrayList<>();
    for (DraftColumn column : draft.columns()) {
      columns.add(new Column(column.name(), type(column)));
    }
    columns.set(
        columns.size() - 1,
        new Column(
            "income",
            new LabelType(
                List.of("<=50K", ">50K"), Map.of("<=50K.", "<=50K", ">50K.", ">50K"), List.of())));
    return new Table(columns, draft.missing(), null);
  }

  private static ColumnType type(DraftColumn column) {
    return column.type().equals("number")
        ? new NumberType(
            new Scaled(
                Double.parseDouble(column.min()), Double.parseDouble(column.max()), false, 10),
            null)
        : new CategoryType(column.values(), false, column.missing() > 0);
  }

  private static DataReport check(Path file, TableDraft draft, int skipLines) throws IOException {
    return DataCheck.read(
        DataSpec.of(
            List.of(file),
            draft.format(),
            CsvLayout.ofTable(',', false, false, skipLines),
            table(draft),
            null),
        FeaturePipeline.of());
  }

  @Test
  void theDraft_namesTypesBoundsAndValues() throws IOException {
    TableDraft draft = TableDraft.read(TRAINING);
    assertThat(draft.format()).isEqualTo(DataFormat.CSV);
    assertThat(draft.header()).isFalse();
    assertThat(draft.missing()).containsExactly("?");
    assertThat(draft.rows()).isEqualTo(32561);
    assertThat(draft.columns())
        .extracting(DraftColumn::type)
        .containsExactly(
            ("number category number category number category category category category category"
                    + " number number number category category")
                .split(" "));
    assertThat(draft.columns().get(0))
        .returns("17", DraftColumn::min)
        .returns("90", DraftColumn::max);
    assertThat(draft.columns().get(8).values())
        .containsExactly("Amer-Indian-Eskimo", "Asian-Pac-Islander", "Black", "Other", "White");
    assertThat(TableDraft.read(TEST).skipLines()).isEqualTo(1);
  }

  @Test
  void bothFiles_areReadByOneTable_withTheirKnownCounts() throws IOException {
    TableDraft draft = TableDraft.read(TRAINING);
    DataReport training = check(TRAINING, draft, 0);
    assertThat(training.problems()).isEmpty();
    // 6 numbers over 11 points, 8 + 16 + 7 + 14 + 6 + 5 + 2 + 41 values, 3 columns with a ? in them
    assertThat(training.columns()).isEqualTo(66 + 99 + 3);
    assertThat(training.classCounts()).extracting(ClassCount::rows).containsExactly(24720L, 7841L);
    assertThat(
            Objects.requireNonNull(training.table()).columns().get(1).cells().get(CellFit.FILLED))
        .isEqualTo(1836);

    DataReport test = check(TEST, draft, 1);
    assertThat(test.problems()).isEmpty();
    assertThat(test.classCounts()).extracting(ClassCount::rows).containsExactly(12435L, 3846L);
  }
}
