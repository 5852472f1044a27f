package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.format.UnlabelledSpec;
import io.mutune.trainer.table.BooleanType;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.DateType;
import io.mutune.trainer.table.HashedType;
import io.mutune.trainer.table.IdType;
import io.mutune.trainer.table.IgnoredType;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.OrdinalType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TargetType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableFormatsTest {
  private static final LocalDate FIRST = LocalDate.of(2020, 1, 1);
  private static final CsvLayout HEADED = CsvLayout.ofTable(',', true, false, 0);

  private static final Table TABLE =
      new Table(
          List.of(
              new Column("who", new IdType()),
              new Column("amount", new NumberType(new Scaled(-5, 5, false, 7), 0.1)),
              new Column("count", new NumberType(new Scaled(0, 1e6, true, 0), null)),
              new Column("city", new CategoryType(List.of("a,b", "c\"d", "7"), true, true)),
              new Column("word", new HashedType(16, true)),
              new Column("rank", new OrdinalType(List.of("1", "2", "3"), null)),
              new Column("flag", new BooleanType(BooleanType.YES, BooleanType.NO, false)),
              new Column("day", new DateType(FIRST, FIRST.plusDays(999), DateType.ISO, 3, null)),
              new Column("note", new IgnoredType()),
              new Column(
                  "y", new LabelType(List.of("no", "yes"), Map.of("yes.", "yes"), List.of()))),
          List.of("?", "-999"),
          "who");

  @TempDir Path folder;
  private TableFiles files = new TableFiles(List.of(), List.of());

  /** Seeded; one value in ten breaks a rule or is missing. */
  @BeforeEach
  void makeTable() {
    Random random = new Random(18);
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      rows.add(
          new @Nullable Object[] {
            some(random, "p" + random.nextInt(100), null, "?"),
            some(random, (random.nextInt(2_000_001) - 1_000_000) / 1e5, -999.0, null),
            some(random, (long) random.nextInt(2_000_000), null, -999L),
            some(random, List.of("a,b", "c\"d", "7", "7.0", "z").get(random.nextInt(5)), "", "?"),
            some(random, "w" + random.nextInt(1000), null, "17.50"),
            some(random, 1L + random.nextInt(3), 4L, 2L),
            some(random, random.nextBoolean(), null, true),
            some(random, FIRST.plusDays(random.nextInt(1100)), null, FIRST),
            some(random, "x", null, "\"{"),
            some(random, random.nextBoolean() ? "yes" : "no", "yes.", "maybe")
          });
    }
    files = new TableFiles(TABLE.columns().stream().map(Column::name).toList(), rows);
  }

  private static @Nullable Object some(
      Random random, Object usual, @Nullable Object one, @Nullable Object other) {
    int choice = random.nextInt(200);
    return choice == 0 ? one : choice == 1 ? other : usual;
  }

  private List<DataSpec> specs() {
    return List.of(
        spec(files.csv(folder.resolve("t.csv")), DataFormat.CSV, HEADED),
        spec(
            files.tsv(folder.resolve("t.tsv")),
            DataFormat.TSV,
            CsvLayout.ofTable('\t', false, false, 0)),
        spec(files.jsonl(folder.resolve("t.jsonl")), DataFormat.JSONL, HEADED),
        spec(files.parquet(folder.resolve("t.parquet")), DataFormat.PARQUET, HEADED));
  }

  private static DataSpec spec(Path file, DataFormat format, CsvLayout csv) {
    return DataSpec.of(List.of(file), format, csv, TABLE, null);
  }

  /** Bits of every feature, labels and units, where there are any. */
  private static String digest(DataSpec spec, Adjacency adjacency) throws IOException {
    UnfitRows unfit = UnfitRows.of(adjacency);
    RowBlocks rows = RowCollector.collect(spec, FeaturePipeline.of(), unfit);
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < rows.blocks().size(); i++) {
      RowBlocks.Block block = rows.blocks().get(i);
      int[] bits = new int[block.features().length];
      Arrays.setAll(bits, j -> Float.floatToRawIntBits(block.features()[j]));
      all.append(Arrays.hashCode(bits))
          .append(' ')
          .append(Arrays.hashCode(block.labels()))
          .append(' ');
    }
    rows.units()
        .ifPresent(
            units ->
                IntStream.range(0, units.rows())
                    .forEach(row -> all.append(units.of(row)).append(' ')));
    return all.append("unfit ").append(unfit.count()).toString();
  }

  /** Ids are kept, so one of any length would take the memory of others. */
  @Test
  void anIdOfMoreThan256Characters_doesNotFit() throws IOException {
    Table table =
        new Table(
            List.of(
                new Column("who", new IdType()),
                new Column("flag", new BooleanType(BooleanType.YES, BooleanType.NO, false)),
                new Column("y", new LabelType(List.of("no", "yes"), Map.of(), List.of()))),
            List.of(),
            "who");
    String text = "who,flag,y\n%s,true,no\n%s,true,yes\n";
    Path file =
        SmallData.write(folder, "ids.csv", text.formatted("i".repeat(256), "i".repeat(257)));
    DataSpec spec = DataSpec.of(List.of(file), DataFormat.CSV, HEADED, table, null);
    RowBlocks rows =
        RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.of(Adjacency.ADD_REMOVE));
    assertThat(rows.blocks().get(0).labels()).containsExactly(0);
    assertThatThrownBy(() -> RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.REFUSED))
        .hasMessageEndingWith("ids.csv:3: column 'who' has more than 256 characters");
  }

  /**
   * All bytes that are no UTF-8 are read as the same character, so two people could have one id.
   */
  @Test
  void anIdOfBytesThatAreNotUtf8_doesNotFit() throws IOException {
    Table table =
        new Table(
            List.of(
                new Column("who", new IdType()),
                new Column("job", new HashedType(16, true)),
                new Column("y", new LabelType(List.of("no", "yes"), Map.of(), List.of()))),
            List.of(),
            "who");
    String text = "who,job,y\nm\u00fcller,a,no\nm\u00f6ller,a,no\nmiller,b\u00e4cker,yes\n";
    byte[] latin = text.getBytes(StandardCharsets.ISO_8859_1);
    Path file = SmallData.write(folder, "ids.csv", latin);
    DataSpec spec = DataSpec.of(List.of(file), DataFormat.CSV, HEADED, table, null);
    RowBlocks rows =
        RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.of(Adjacency.ADD_REMOVE));
    assertThat(rows.blocks().get(0).labels()).containsExactly(1);
    assertThatThrownBy(() -> RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.REFUSED))
        .hasMessageEndingWith(
            "ids.csv:2: column 'who' has the character that stands for bytes that are not UTF-8");
    SmallData.write(folder, "ids.csv", text.getBytes(StandardCharsets.UTF_8));
    assertThat(RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.REFUSED).rows())
        .isEqualTo(3);
  }

  /**
   * Of keys that nobody reads, all of one hash as parsers of JSON compute it, whatever the seed.
   */
  private static String keysOfOneHash(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> Integer.toBinaryString(1 << 14 | i))
        .map(bits -> bits.replace("0", "Bb").replace("1", "CA"))
        .collect(Collectors.joining("\": 1, \"", "{\"", "\": 1}"));
  }

  @Test
  void namesInARowOfJson_changeNothingOfOtherRows() throws IOException {
    Table table =
        Table.of(
            new Column("o", new IgnoredType()),
            new Column("flag", new BooleanType(BooleanType.YES, BooleanType.NO, false)),
            new Column("y", new LabelType(List.of("no", "yes"), Map.of(), List.of())));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String keys = keysOfOneHash(Math.max(0, 152 * i - 2), 152 * (i + 1) - 2);
      lines.add("{\"o\": %s, \"flag\": true, \"y\": \"no\"}".formatted(keys));
    }
    Path file = SmallData.write(folder, "keys.jsonl", String.join("\n", lines));
    UnfitRows unfit = UnfitRows.of(Adjacency.ADD_REMOVE);
    DataSpec spec = DataSpec.of(List.of(file), DataFormat.JSONL, HEADED, table, null);
    assertThat(RowCollector.collect(spec, FeaturePipeline.of(), unfit).rows()).isEqualTo(100);
  }

  /** CSV has no bounds but that of the line. */
  @Test
  void ofALineOfJson_numbersTextsAndNamesMayBeLong() throws IOException {
    Table table =
        Table.of(
            new Column("x", new NumberType(new Scaled(0, 1, false, 0), null)),
            new Column("word", new HashedType(16, true)),
            new Column("n".repeat(60_000), new IgnoredType()),
            new Column("y", new LabelType(List.of("0", "1"), Map.of(), List.of())));
    String number = "0.5" + "0".repeat(200_000) + "1";
    String line =
        "{\"x\": %s, \"word\": \"%s\", \"%s\": %s, \"y\": 1}\n"
            .formatted(number, "w".repeat(100_000), "n".repeat(60_000), number);
    Path file = SmallData.write(folder, "long.jsonl", line);
    DataSpec spec = DataSpec.of(List.of(file), DataFormat.JSONL, HEADED, table, null);
    RowBlocks rows = RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.REFUSED);
    assertThat(rows.blocks().get(0).features()[0]).isEqualTo(0.5f);
  }

  @Test
  void oneTable_isTheSameRowsBitForBit_inEveryFormat() throws IOException {
    for (Adjacency adjacency : List.of(Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE)) {
      List<String> digests = new ArrayList<>();
      for (DataSpec spec : specs()) {
        digests.add(digest(spec, adjacency));
      }
      assertThat(digests).allMatch(digests.get(0)::equals);
      assertThat(digests.get(0)).doesNotEndWith("unfit 0");
    }
  }

  @Test
  void floatsOfParquet_areTheNumbersThatTextHas() throws IOException {
    Random random = new Random(20);
    Table table =
        Table.of(
            new Column("amount", new NumberType(new Scaled(-5, 5, false, 7), 0.1)),
            new Column("rate", new CategoryType(List.of("3.3", "0.1", "7"), true, true)),
            new Column("word", new HashedType(256, true)),
            new Column("y", new LabelType(List.of("0.2", "0.7"), Map.of(), List.of())));
    Table rows = new Table(table.columns(), List.of("-9.9"), null);
    List<@Nullable Object[]> cells = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      cells.add(
          new @Nullable Object[] {
            i % 50 == 0 ? -9.9f : (random.nextInt(10_001) - 5000) / 1000f,
            List.of(3.3f, 0.1f, 7f, 7.1f, -9.9f).get(random.nextInt(5)),
            random.nextInt(1000) / 10f,
            random.nextBoolean() ? 0.2f : 0.7f
          });
    }
    files = new TableFiles(table.columns().stream().map(Column::name).toList(), cells);
    List<String> digests = new ArrayList<>();
    for (DataSpec spec : specs()) {
      DataSpec one = DataSpec.of(spec.files(), spec.format(), spec.csv(), rows, null);
      digests.add(digest(one, Adjacency.ADD_REMOVE));
    }
    assertThat(digests).allMatch(digests.get(0)::equals);
    assertThat(digests.get(0)).endsWith("unfit 0");
  }

  @Test
  void theFirstRowThatDoesNotFit_isTheSameInEveryFormat() {
    List<String> faults = new ArrayList<>();
    for (DataSpec spec : specs()) {
      try {
        RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.REFUSED);
      } catch (IOException e) {
        faults.add(Objects.requireNonNull(e.getMessage()).replaceAll("^.*?: (record \\d+: )?", ""));
      }
    }
    assertThat(faults).hasSize(4).allMatch(faults.get(0)::equals);
    assertThat(faults.get(0)).startsWith("column '");
  }

  @Test
  void textFormats_mayBeGzipped_andPartsAreOneTable() throws IOException {
    Path csv = files.csv(folder.resolve("t.csv"));
    Path packed = SmallData.write(folder, "t.csv.gz", SmallData.gzip(Files.readAllBytes(csv)));
    List<Path> both = List.of(csv, packed);
    RowRange second = new RowRange(10_001, 20_000);
    Table rows = new Table(TABLE.columns(), TABLE.missing(), null);
    DataSpec all = DataSpec.of(both, DataFormat.CSV, HEADED, rows, null);
    DataSpec some = DataSpec.of(both, DataFormat.CSV, HEADED, rows, second);
    assertThat(RowCollector.collect(all, FeaturePipeline.of(), fresh()).rows())
        .isEqualTo(2 * RowCollector.collect(some, FeaturePipeline.of(), fresh()).rows());
    DataSpec alone = DataSpec.of(List.of(csv), DataFormat.CSV, HEADED, rows, null);
    assertThat(digest(some, Adjacency.ADD_REMOVE)).isEqualTo(digest(alone, Adjacency.ADD_REMOVE));
  }

  private static UnfitRows fresh() {
    return UnfitRows.of(Adjacency.ADD_REMOVE);
  }

  @Test
  void rowsToPredictOn_needNeitherLabelNorUnit_andMayHaveOtherColumns() throws IOException {
    Table table =
        Table.of(
            new Column("x", new NumberType(new Scaled(0, 10, false, 0), null)),
            new Column("y", new TargetType(0, 1)));
    Path with = SmallData.write(folder, "with.csv", "y,x\n?,5\n");
    Path without = SmallData.write(folder, "without.csv", "x\n5\n");
    Path more = SmallData.write(folder, "more.csv", "more,x,other\na,5,b\n");
    Path lines = SmallData.write(folder, "more.jsonl", "{\"more\": {\"x\": 1}, \"x\": 5}\n");
    for (Path file : List.of(with, without, more, lines)) {
      DataFormat format = file.equals(lines) ? DataFormat.JSONL : DataFormat.CSV;
      List<Float> seen = new ArrayList<>();
      new UnlabelledData(
              new UnlabelledSpec(file, RowForm.ofTable(format, HEADED, table)),
              FeaturePipeline.of())
          .forEach(first -> values -> seen.add(values[0]), piece -> {});
      assertThat(seen).containsExactly(0.5f);
    }
    // A key that is written otherwise is no missing cell.
    Path wrong = SmallData.write(folder, "wrong.jsonl", "{\"x\": 5}\n{\"X\": 5}\n");
    UnlabelledData rows =
        new UnlabelledData(
            new UnlabelledSpec(wrong, RowForm.ofTable(DataFormat.JSONL, HEADED, table)),
            FeaturePipeline.of());
    assertThatThrownBy(() -> rows.forEach(first -> values -> {}, piece -> {}))
        .hasMessageEndingWith(":2: the object has a key that names no column, and has no 'x'");
  }

  private List<Float> unnamed(Table table, String text) throws IOException {
    return unlabelled(
        RowForm.ofTable(DataFormat.CSV, CsvLayout.ofTable(',', false, false, 0), table), text);
  }

  private List<Float> unlabelled(RowForm form, String text) throws IOException {
    Path file = SmallData.write(folder, "unlabelled", text);
    List<Float> seen = new ArrayList<>();
    new UnlabelledData(new UnlabelledSpec(file, form), FeaturePipeline.of())
        .forEach(first -> values -> seen.add(values[0]), piece -> {});
    return seen;
  }

  /** Else predictions would be those of other rows. */
  @Test
  void anEmptyLine_isARowWhoseOneCellIsMissing() throws IOException {
    Table table =
        Table.of(
            new Column("age", new NumberType(new Scaled(0, 10, false, 0), 5.0)),
            new Column("y", new TargetType(0, 1)));
    String json = "{\"age\": 2}\n{\"age\": null}\n{}\n{\"age\": 8}\n{}\n";
    List<Float> rows = unlabelled(RowForm.ofTable(DataFormat.JSONL, HEADED, table), json);
    assertThat(rows).containsExactly(0.2f, 0.5f, 0.5f, 0.8f, 0.5f);
    RowForm csv = RowForm.ofTable(DataFormat.CSV, HEADED, table);
    assertThat(unlabelled(csv, "\nage\n2\n\n\n8\n\n")).isEqualTo(rows);
    assertThat(unnamed(table, "2\r\n\r\n\"\"\r\n8\r\n\r\n")).isEqualTo(rows);
    for (String text : List.of("\n2\n", "\n\n\n")) {
      assertThatThrownBy(() -> unnamed(table, text))
          .hasMessageEndingWith(
              ": begins with an empty line, which in one column without a header is a row or none:"
                  + " take it out, or give the file a header");
    }
    assertThat(unlabelled(csv, "age,y\n2,\n\n8,\n")).containsExactly(0.2f, 0.8f);
  }

  /** The label must not be read as a feature. */
  @Test
  void withoutAHeader_theLabelMayBeLeftOut_whereNoOtherColumnCould() throws IOException {
    Column age = new Column("age", new NumberType(new Scaled(0, 10, false, 0), null));
    Column label = new Column("y", new TargetType(0, 1));
    Table features = Table.of(age, label);
    assertThat(unnamed(features, "5\n")).containsExactly(0.5f);
    assertThat(unnamed(features, "5,?\n")).containsExactly(0.5f);
    Table table = Table.of(new Column("who", new IdType()), age, label);
    assertThat(unnamed(table, "7,5,?\n")).containsExactly(0.5f);
    assertThatThrownBy(() -> unnamed(table, "5,1\n"))
        .hasMessageEndingWith(
            ":1: has 2 columns instead of 3: without a header those that are not read count too");
  }

  private void assertProblem(String name, DataFormat format, String text, String problem) {
    Path file = SmallData.write(folder, name, text);
    DataSpec spec =
        DataSpec.of(
            List.of(file),
            format,
            HEADED,
            Table.of(
                new Column("x", new NumberType(new Scaled(0, 1, false, 0), null)),
                new Column("n", new IgnoredType()),
                new Column("y", new LabelType(List.of("0", "1"), Map.of(), List.of()))),
            null);
    assertThatThrownBy(() -> SmallData.rows(spec))
        .isInstanceOf(DataFormatException.class)
        .hasMessageStartingWith(file + ":")
        .hasMessageContaining(problem)
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  @Test
  void headersThatAreNotTheTables_areRefused() {
    assertProblem(
        "a.csv", DataFormat.CSV, "x,y,secret\n0,0,0\n", "1: has a column, number 3, that");
    assertProblem("b.csv", DataFormat.CSV, "x,n\n0,0\n", "has no column 'y'");
    assertProblem("c.csv", DataFormat.CSV, "x,y,x\n0,0,0\n", "has the column 'x' twice");
    assertProblem("g.csv", DataFormat.CSV, "x;y;z\n0;0;0\n", "is the delimiter right?");
    assertProblem("d.csv", DataFormat.CSV, "x,y\n0,0\n0\n", ":3: has 1 columns instead of 2");
    assertProblem("e.csv", DataFormat.CSV, "", "is empty");
  }

  @Test
  void linesThatAreNoRows_areRefused() {
    String good = "{\"x\": 0, \"y\": 1, \"n\": {\"a\": [1]}}\n\n";
    assertProblem("a.jsonl", DataFormat.JSONL, good + "[1]\n", ":3: the line is not an object");
    assertProblem("b.jsonl", DataFormat.JSONL, good + "{\"x\": secret}", "not an object of JSON");
    assertProblem("c.jsonl", DataFormat.JSONL, good + "{\"x\": 1, \"x\": 1}", "the key 'x' twice");
    assertProblem("d.jsonl", DataFormat.JSONL, good + "{\"secret\": 1}", "names no column");
    assertProblem("e.jsonl", DataFormat.JSONL, good + "{\"x\": [1]}", "'x' is an object or a list");
    assertProblem("f.jsonl", DataFormat.JSONL, good + "{\"x\": 1}", "column 'y' is missing");
    assertProblem("g.jsonl", DataFormat.JSONL, good + "{\"x\": 1, \"y\": 0} 1", "goes on after");
    assertProblem("h.jsonl", DataFormat.JSONL, "{\"x\": \"secret\", \"y\": 0}", "finite number");
  }

  @Test
  void aDamagedParquetFile_isOneSentence() throws IOException {
    byte[] bytes = Files.readAllBytes(files.parquet(folder.resolve("t.parquet")));
    Random random = new Random(19);
    for (int i = 0; i < 60; i++) {
      byte[] broken = bytes.clone();
      if (i % 2 == 0) {
        broken = Arrays.copyOf(broken, random.nextInt(bytes.length));
      } else {
        for (int j = 0; j < 20; j++) {
          broken[random.nextInt(broken.length)] ^= (byte) (1 + random.nextInt(255));
        }
      }
      Path file = SmallData.write(folder, "broken.parquet", broken);
      try {
        RowCollector.collect(spec(file, DataFormat.PARQUET, HEADED), FeaturePipeline.of(), fresh());
      } catch (DataFormatException e) {
        assertThat(e).hasMessageStartingWith(file + ": ").hasNoCause();
      }
    }
  }
}
