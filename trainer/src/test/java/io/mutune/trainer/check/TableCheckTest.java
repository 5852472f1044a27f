package io.mutune.trainer.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.data.SmallData;
import io.mutune.trainer.data.TableFiles;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.CellFit;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.IdType;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableCheckTest {
  private static final Table TABLE =
      new Table(
          List.of(
              new Column("who", new IdType()),
              new Column("age", new NumberType(new Scaled(0, 10, false, 0), 5.0)),
              new Column("job", new CategoryType(List.of("a", "b"), true, false)),
              new Column("y", new LabelType(List.of("n", "p"), Map.of(), List.of()))),
          List.of("?"),
          "who");

  @TempDir Path folder;

  private DataReport check(String text) throws IOException {
    Path file = SmallData.write(folder, "t.csv", text);
    return DataCheck.read(
        DataSpec.of(
            List.of(file), DataFormat.CSV, CsvLayout.ofTable(',', true, false, 0), TABLE, null),
        FeaturePipeline.of());
  }

  @Test
  void everyColumn_saysWhatBecameOfItsCells() throws IOException {
    DataReport report =
        check("who,age,job,y\n1,3,a,p\n1,11,c,n\n1,?,b,n\n2,old,?,n\n,1,a,p\n3,1,a,x\n4,\"1,a,p\n");
    assertThat(report.rows()).isEqualTo(3);
    TableReport table = Objects.requireNonNull(report.table());
    assertThat(report.unfitRows()).isEqualTo(4);
    assertThat(table.units()).isEqualTo(1);
    assertThat(table.mostRows()).isEqualTo(3);
    assertThat(table.columns())
        .extracting(TableReport.ColumnReport::name)
        .containsExactly("who", "age", "job", "y");
    assertThat(table.columns().get(1).cells())
        .isEqualTo(
            Map.of(CellFit.FITS, 3L, CellFit.CUT, 1L, CellFit.FILLED, 1L, CellFit.NO_NUMBER, 1L));
    assertThat(table.columns().get(2).cells())
        .isEqualTo(Map.of(CellFit.FITS, 4L, CellFit.OTHER, 1L, CellFit.MISSING, 1L));
    assertThat(table.columns().get(3).cells().get(CellFit.NOT_LISTED)).isEqualTo(1);
    assertThat(report.problems())
        .hasSize(4)
        .first()
        .asString()
        .endsWith("t.csv:5: column 'age' is not a finite number");
    assertThat(report.compareWith(3))
        .contains("Column 'age': 1 cell beyond a bound, and cut to it.")
        .contains("4 rows do not fit")
        .doesNotContain("old");
  }

  @Test
  void whatLetsARowPassAndMayBeAMistake_isToldByItsPlace_fiveTimesEach() throws IOException {
    DataReport report =
        check(
            "who,age,job,y\n1,11,a,p\n"
                + "2,1,c,n\n".repeat(7)
                + "3,-1,b,n\n"
                + "4,1,a,p\n".repeat(70));
    assertThat(Objects.requireNonNull(report.table()).places())
        .extracting(place -> place.substring(place.lastIndexOf("t.csv")))
        .containsExactly(
            "t.csv:2: column 'age' is beyond a bound, and cut to it",
            "t.csv:3: column 'job' is not in the list, and put into the bucket of others",
            "t.csv:4: column 'job' is not in the list, and put into the bucket of others",
            "t.csv:5: column 'job' is not in the list, and put into the bucket of others",
            "t.csv:6: column 'job' is not in the list, and put into the bucket of others",
            "t.csv:7: column 'job' is not in the list, and put into the bucket of others",
            "t.csv:10: column 'age' is beyond a bound, and cut to it",
            "t.csv:75: a person has more rows than unit.rows says, from this one on");
    assertThat(report.table().largeUnits()).isEqualTo(1);
  }

  /** It would be one person of everybody whose id is lost. */
  @Test
  void anIdThatIsNoNumber_orMayBeRounded_isNobodys() throws IOException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Double who :
        new @Nullable Double[] {7.0, Double.NaN, 7.0, null, Double.POSITIVE_INFINITY, 0x1p53}) {
      rows.add(new @Nullable Object[] {who, 1.0, "a", "p"});
    }
    Path file =
        new TableFiles(List.of("who", "age", "job", "y"), rows)
            .parquet(folder.resolve("t.parquet"));
    DataReport report =
        DataCheck.read(
            DataSpec.of(
                List.of(file),
                DataFormat.PARQUET,
                CsvLayout.ofTable(',', true, false, 0),
                TABLE,
                null),
            FeaturePipeline.of());
    assertThat(report.rows()).isEqualTo(2);
    assertThat(Objects.requireNonNull(report.table()).units()).isEqualTo(1);
    assertThat(report.table().columns().get(0).cells())
        .isEqualTo(
            Map.of(
                CellFit.FITS, 2L, CellFit.MISSING, 1L, CellFit.NO_NUMBER, 2L, CellFit.ROUNDED, 1L));
    assertThat(report.problems()).first().asString().contains("record 2: column 'who' is not a");
  }

  @Test
  void theWholeFile_isCounted_howeverManyRowsDoNotFit() throws IOException {
    DataReport report = check("who,age,job,y\n" + "1,old,a,p\n".repeat(100) + "1,1,a,p\n");
    assertThat(report.problems()).hasSize(DataCheck.MAX_PROBLEMS);
    assertThat(report.unfitRows()).isEqualTo(100);
    assertThat(report.rows()).isEqualTo(1);
  }
}
