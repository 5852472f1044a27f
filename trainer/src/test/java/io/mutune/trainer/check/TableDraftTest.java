package io.mutune.trainer.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.data.SmallData;
import io.mutune.trainer.data.TableFiles;
import io.mutune.trainer.format.DataFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableDraftTest {
  @TempDir Path folder;

  private TableFiles files() {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add(
          new @Nullable Object[] {
            "p" + i,
            i / 4.0 - 10,
            i % 7 == 0 ? "?" : "city " + i % 5,
            i % 2 == 0,
            LocalDate.of(2020, 1, 1).plusDays(i),
            i == 3 ? null : (long) i
          });
    }
    return new TableFiles(List.of("who", "amount", "city", "flag", "day", "count"), rows);
  }

  @Test
  void textThatIsGzipByAnotherName_isRefused() throws IOException {
    byte[] packed = SmallData.gzip(Files.readAllBytes(files().csv(folder.resolve("t.csv"))));
    assertThatThrownBy(() -> TableDraft.read(SmallData.write(folder, "packed.csv", packed)))
        .hasMessageEndingWith("packed.csv: is gzip: its name must end in .gz");
    assertThat(TableDraft.read(SmallData.write(folder, "t.csv.gz", packed)).rows()).isEqualTo(300);
  }

  @Test
  void aDraft_isTheSameFromEveryFormat() throws IOException {
    TableFiles files = files();
    List<TableDraft> drafts =
        List.of(
            TableDraft.read(files.jsonl(folder.resolve("t.jsonl"))),
            TableDraft.read(files.parquet(folder.resolve("t.parquet"))),
            TableDraft.read(files.tsv(folder.resolve("t.tsv"))),
            TableDraft.read(files.csv(folder.resolve("t.csv"))));
    assertThat(drafts)
        .extracting(TableDraft::format)
        .containsExactly(DataFormat.JSONL, DataFormat.PARQUET, DataFormat.TSV, DataFormat.CSV);
    assertThat(drafts.get(2).header()).isFalse();
    assertThat(drafts.get(2).delimiter()).isEqualTo('\t');
    assertThat(drafts.get(3).header()).isTrue();
    for (TableDraft draft : drafts) {
      assertThat(draft.missing()).containsExactly("?");
      assertThat(draft.rows()).isEqualTo(300);
      assertThat(draft.columns())
          .extracting(column -> column.type() + " " + column.min() + " " + column.max())
          .containsExactlyInAnyOrder(
              "ignore null null",
              "number -10 64.75",
              "category null null",
              "boolean null null",
              "date 2020-01-01 2020-10-26",
              "number 0 299");
      assertThat(draft.columns())
          .filteredOn(column -> column.type().equals("category"))
          .extracting(DraftColumn::values)
          .containsExactly(List.of("city 0", "city 1", "city 2", "city 3", "city 4"));
      assertThat(draft.columns()).extracting(DraftColumn::missing).contains(43L, 1L);
    }
  }

  @Test
  void linesBeforeTheRows_arePassedOver_andBlanksDoNotCount() throws IOException {
    Path file =
        SmallData.write(
            folder, "adult.test", "|1x3 Cross validator\n25, Private, <=50K.\n38, ?, >50K.\n\n");
    TableDraft draft = TableDraft.read(file);
    assertThat(draft.skipLines()).isEqualTo(1);
    assertThat(draft.header()).isFalse();
    assertThat(draft.columns())
        .extracting(DraftColumn::name)
        .containsExactly("column1", "column2", "column3");
    assertThat(draft.columns().get(2).values()).containsExactly("<=50K.", ">50K.");
    assertThat(draft.missing()).containsExactly("?");
  }

  @Test
  void nestedValues_canOnlyBeIgnored() throws IOException {
    Path file =
        SmallData.write(folder, "a.jsonl", "{\"a\": 1, \"b\": [1]}\n{\"a\": 2.5, \"c\": null}\n");
    assertThat(TableDraft.read(file).columns())
        .extracting(DraftColumn::type)
        .containsExactly("number", "ignore", "ignore");
  }

  @Test
  void fewWholeNumbers_areListedInTheirOrder_sinceTheyMayBeClasses() throws IOException {
    StringBuilder text = new StringBuilder("many,half,class\n");
    for (int i = 0; i < 120; i++) {
      text.append(i).append(',').append(i % 3 / 2.0).append(',').append(10 - i % 11).append('\n');
    }
    Path file = SmallData.write(folder, "a.csv", text.toString());
    assertThat(TableDraft.read(file).columns())
        .extracting(DraftColumn::type)
        .containsExactly("number", "number", "number");
    assertThat(TableDraft.read(file).columns())
        .extracting(DraftColumn::values)
        .containsExactly(
            List.of(), List.of(), List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"));
  }

  @Test
  void whatIsNoTable_isRefused() {
    Path file = SmallData.write(folder, "a.txt", "one\ntwo\n");
    assertThatThrownBy(() -> TableDraft.read(file)).hasMessageContaining("neither CSV");
    Path wide = SmallData.write(folder, "wide.csv", "1.5,".repeat(200_000) + "1\n");
    assertThatThrownBy(() -> TableDraft.read(wide))
        .hasMessageContaining("has 200001 columns; a card is drafted for ");
  }

  @Test
  void whatIsNotInTheDraft_isTold() throws IOException {
    Path file = folder.resolve("t.csv");
    String rows = "age,kind\n1,a\n2,j\u00e4\n3,b,c\n4,a\n\"5,b\n";
    Files.writeString(file, rows, StandardCharsets.ISO_8859_1);
    assertThat(TableDraft.read(file).problems())
        .hasSize(2)
        .anyMatch(
            line -> line.startsWith("lines that are not read: 2, the first since " + file + ":4: "))
        .anyMatch(line -> line.startsWith(file + ":3: is not UTF-8"));
    Files.writeString(file, "age,kind\n1,a\n2,b\n");
    assertThat(TableDraft.read(file).problems()).isEmpty();
  }

  private DraftColumn column(String name, String text) throws IOException {
    return TableDraft.read(SmallData.write(folder, name, text)).columns().get(0);
  }

  @Test
  void days_areSeenInTheFormsThatFilesHave() throws IOException {
    DraftColumn day = column("a.csv", "day,x\n31.12.2024,1\n01.02.2023,2\n");
    assertThat(day)
        .extracting(DraftColumn::type, DraftColumn::format, DraftColumn::min, DraftColumn::max)
        .containsExactly("date", "dd.MM.yyyy", "2023-02-01", "2024-12-31");
    assertThat(day.question()).isEmpty();
    DraftColumn either = column("b.csv", "day,x\n01/02/2024,1\n03/04/2024,2\n");
    assertThat(either.format()).isEqualTo("dd/MM/yyyy");
    assertThat(either.question()).isEqualTo("is it dd/MM/yyyy or MM/dd/yyyy?");
    DraftColumn times = column("e.csv", "day,x\n1/2/2024 9:05,1\n3/14/2024 23:59:59,2\n");
    assertThat(times.format()).isEqualTo("M/d/yyyy[ H:mm[:ss]]");
    assertThat(times.max()).isEqualTo("2024-03-14");
    assertThat(times.question()).isEmpty();
    assertThat(column("f.csv", "day,x\n2024-01-02T09:05:00Z,1\n2024-01-03T10:00:00Z,2\n").type())
        .isEqualTo("date");
    assertThat(column("c.csv", "day,x\n01/02/2024,1\n03/14/2024,2\n").format())
        .isEqualTo("MM/dd/yyyy");
    assertThat(column("d.csv", "day,x\n01/02/2024,1\n31.12.2024,2\n").type()).isEqualTo("category");
  }

  @Test
  void numbersThatAreNotRead_areAskedFor() throws IOException {
    StringBuilder rows = new StringBuilder("pay;class\n");
    for (int i = 0; i < 60; i++) {
      rows.append(i).append(",5;").append(i % 2).append('\n');
    }
    assertThat(column("a.csv", rows.toString()).question()).startsWith("are these numbers?");
    assertThat(column("b.csv", rows.toString().replace(",5", ",a")).question()).contains("an id");
    DraftColumn few = column("c.csv", "pay;class\n1,5;0\n2,5;1\n1,5;1\n");
    assertThat(few.type()).isEqualTo("category");
    assertThat(few.question()).startsWith("are these numbers?").contains("decimal point");
    assertThat(column("d.csv", "kind,class\na,0\n1,1\n").question()).isEmpty();
  }

  @Test
  void namesThatAreEmptyOrTwice_areNamedByTheirPlace() throws IOException {
    TableDraft draft =
        TableDraft.read(
            SmallData.write(folder, "a.csv", ",age,kind,kind\n0,3,a,b\n1,4,a,c\n2,5,b,b\n"));
    assertThat(draft.header()).isFalse();
    assertThat(draft.skipLines()).isEqualTo(1);
    assertThat(draft.rows()).isEqualTo(3);
    assertThat(draft.columns())
        .extracting(DraftColumn::name)
        .containsExactly("column1", "age", "kind", "column4");
    // After a title and a blank line, as spreadsheets write them.
    TableDraft titled =
        TableDraft.read(SmallData.write(folder, "c.csv", "Sales\n\n,age,kind\n0,3,a\n1,4,b\n"));
    assertThat(titled.skipLines()).isEqualTo(3);
    assertThat(titled.rows()).isEqualTo(2);
    assertThat(
            TableDraft.read(SmallData.write(folder, "d.csv", "\n# note\na,b\n1,2\n")).skipLines())
        .isEqualTo(2);
    // Nothing but the first column is above numbers.
    TableDraft numbered =
        TableDraft.read(SmallData.write(folder, "g.csv", "id,kind,kind\n1,a,b\n2,b,a\n"));
    assertThat(numbered.skipLines()).isEqualTo(1);
    assertThat(numbered.columns())
        .extracting(DraftColumn::name)
        .containsExactly("id", "kind", "column3");
    // A row without an id is one of the rows.
    assertThat(
            TableDraft.read(SmallData.write(folder, "e.csv", ",male,yes\n2,female,no\n3,male,no\n"))
                .skipLines())
        .isZero();
    // A missing number, above others, is no name.
    assertThat(
            TableDraft.read(SmallData.write(folder, "b.csv", "x,,x\n1,2,x\n1,3,y\n")).skipLines())
        .isZero();
    TableDraft unnamed = TableDraft.read(SmallData.write(folder, "f.csv", "NA,?,x\n1,2,x\n"));
    assertThat(unnamed.header()).isFalse();
    assertThat(unnamed.rows()).isEqualTo(2);
  }

  @Test
  void namesOfWhichSomeAreNumbers_areAskedAbout() throws IOException {
    TableDraft years =
        TableDraft.read(
            SmallData.write(
                folder, "y.csv", "region,2019,2020,grew\na,1,2,yes\nb,2,1,no\nc,3,4,yes\n"));
    assertThat(years.headerIsSure()).isFalse();
    assertThat(years.header()).isTrue();
    assertThat(years.rows()).isEqualTo(3);
    assertThat(years.columns())
        .extracting(DraftColumn::name)
        .containsExactly("region", "2019", "2020", "grew");
    // A row: what is no number in it occurs again, or nothing below it does.
    for (String rows : List.of("a,1,yes\nb,2,yes\nc,3,no\n", "a,1\nb,2\nc,3\n", "1,2\n3,4\n")) {
      TableDraft draft = TableDraft.read(SmallData.write(folder, "r.csv", rows));
      assertThat(draft.header()).as(rows).isFalse();
      assertThat(draft.headerIsSure()).as(rows).isTrue();
    }
  }

  @Test
  void namesAlone_areNoTable() {
    Path file = SmallData.write(folder, "a.csv", "age,kind\n");
    assertThatThrownBy(() -> TableDraft.read(file))
        .hasMessageEndingWith("has no row to draft a card from");
  }
}
