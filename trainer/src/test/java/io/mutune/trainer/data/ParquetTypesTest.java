package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types that Parquet alone has: decimals, in every form that it keeps them in, against the same
 * digits in a CSV, and none.
 */
class ParquetTypesTest {
  private static final int FIXED_BYTES = 16;

  private static final MessageType SCHEMA =
      Types.buildMessage()
          .optional(PrimitiveTypeName.INT32)
          .as(LogicalTypeAnnotation.decimalType(2, 9))
          .named("small")
          .optional(PrimitiveTypeName.INT64)
          .as(LogicalTypeAnnotation.decimalType(7, 18))
          .named("large")
          .optional(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
          .length(FIXED_BYTES)
          .as(LogicalTypeAnnotation.decimalType(20, 38))
          .named("fixed")
          .optional(PrimitiveTypeName.BINARY)
          .as(LogicalTypeAnnotation.decimalType(0, 30))
          .named("binary")
          .optional(PrimitiveTypeName.INT32)
          .as(LogicalTypeAnnotation.decimalType(1, 4))
          .named("code")
          .required(PrimitiveTypeName.INT32)
          .as(LogicalTypeAnnotation.decimalType(0, 1))
          .named("y")
          .named("table");

  private static final Table TABLE =
      new Table(
          List.of(
              new Column("small", new NumberType(new Scaled(-9e6, 9e6, false, 3), 1.0)),
              new Column("large", new NumberType(new Scaled(-1e11, 1e11, false, 0), 0.0)),
              new Column("fixed", new NumberType(new Scaled(-1e18, 1e18, false, 3), 0.0)),
              new Column("binary", new NumberType(new Scaled(-1e30, 1e30, false, 0), 0.0)),
              new Column("code", new CategoryType(List.of("0.0", "1.0", "-2.5"), true, true)),
              new Column("y", new LabelType(List.of("0", "1"), Map.of(), List.of()))),
          List.of(),
          null);

  @TempDir Path folder;

  private static List<List<BigDecimal>> rows(long seed, int count) {
    Random random = new Random(seed);
    return Stream.generate(() -> row(random)).limit(count).toList();
  }

  private static List<BigDecimal> row(Random random) {
    return List.of(
        new BigDecimal(BigInteger.valueOf(random.nextInt(2_000_000_000) - 1_000_000_000), 2),
        new BigDecimal(BigInteger.valueOf(random.nextLong() / 10), 7),
        new BigDecimal(new BigInteger(126, random).subtract(BigInteger.ONE.shiftLeft(125)), 20),
        new BigDecimal(new BigInteger(99, random).negate()),
        new BigDecimal(BigInteger.valueOf(List.of(0, 10, -25, 31).get(random.nextInt(4))), 1),
        new BigDecimal(random.nextInt(2)));
  }

  private Path parquet(List<List<BigDecimal>> rows) throws IOException {
    Path file = folder.resolve("t.parquet");
    try (ParquetWriter<Group> writer = writer(file)) {
      for (int i = 0; i < rows.size(); i++) {
        writer.write(group(rows.get(i), i));
      }
    }
    return file;
  }

  private static ParquetWriter<Group> writer(Path file) throws IOException {
    return ExampleParquetWriter.builder(new LocalOutputFile(file))
        .withConf(new PlainParquetConfiguration())
        .withType(SCHEMA)
        .withRowGroupSize(10_000L) // so that a file of some thousand rows has several
        .build();
  }

  private static SimpleGroup group(List<BigDecimal> row, int at) {
    SimpleGroup group = new SimpleGroup(SCHEMA);
    for (int column = 0; column < SCHEMA.getFieldCount(); column++) {
      if (!isMissing(at, column)) {
        add(group, column, row.get(column).unscaledValue());
      }
    }
    return group;
  }

  private static void add(SimpleGroup group, int column, BigInteger unscaled) {
    switch (SCHEMA.getType(column).asPrimitiveType().getPrimitiveTypeName()) {
      case INT32 -> group.add(column, unscaled.intValueExact());
      case INT64 -> group.add(column, unscaled.longValueExact());
      case BINARY -> group.add(column, Binary.fromConstantByteArray(unscaled.toByteArray()));
      default -> {
        byte[] bytes = new byte[FIXED_BYTES];
        Arrays.fill(bytes, (byte) (unscaled.signum() < 0 ? -1 : 0));
        byte[] digits = unscaled.toByteArray();
        System.arraycopy(digits, 0, bytes, FIXED_BYTES - digits.length, digits.length);
        group.add(column, Binary.fromConstantByteArray(bytes));
      }
    }
  }

  private static boolean isMissing(int row, int column) {
    return column < SCHEMA.getFieldCount() - 1 && (row + column) % 11 == 0;
  }

  private Path csv(List<List<BigDecimal>> rows) throws IOException {
    List<String> lines = new ArrayList<>(List.of("small,large,fixed,binary,code,y"));
    for (int i = 0; i < rows.size(); i++) {
      List<String> cells = new ArrayList<>();
      for (int column = 0; column < rows.get(i).size(); column++) {
        cells.add(isMissing(i, column) ? "" : rows.get(i).get(column).toPlainString());
      }
      lines.add(String.join(",", cells));
    }
    return Files.write(folder.resolve("t.csv"), lines);
  }

  private static RowBlocks read(Path file, DataFormat format) throws IOException {
    return RowCollector.collect(spec(file, format), FeaturePipeline.of(), UnfitRows.REFUSED);
  }

  private static DataSpec spec(Path file, DataFormat format) {
    return DataSpec.of(List.of(file), format, CsvLayout.ofTable(',', true, false, 0), TABLE, null);
  }

  @Test
  void whatStandsBehindARange_isNotRead() throws IOException {
    List<List<BigDecimal>> rows = rows(5, 1000);
    Path file = parquet(rows);
    List<BlockMetaData> groups;
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      groups = reader.getRowGroups();
    }
    byte[] bytes = Files.readAllBytes(file);
    int second = (int) groups.get(1).getStartingPos();
    Arrays.fill(bytes, second, second + 50, (byte) 7);
    Files.write(file, bytes);
    assertThatThrownBy(() -> read(file, DataFormat.PARQUET)).hasMessageContaining("damaged");
    long first = groups.get(0).getRowCount();
    DataSpec whole = spec(file, DataFormat.PARQUET);
    DataSpec some = whole.of(whole.parts().get(0), new RowRange(1, first));
    assertThat(RowCollector.collect(some, FeaturePipeline.of(), UnfitRows.REFUSED).rows())
        .isEqualTo((int) first);
  }

  /** A cell without bytes is its row's fault and not the file's. */
  @Test
  void aDecimalOfNoBytes_isARowThatDoesNotFit_andLeavesTheOthers() throws IOException {
    List<List<BigDecimal>> rows = rows(4, 40);
    Path whole = parquet(rows);
    RowBlocks expected = read(whole, DataFormat.PARQUET);
    Path file = folder.resolve("empty.parquet");
    try (ParquetWriter<Group> writer = writer(file)) {
      for (int i = 0; i < rows.size(); i++) {
        writer.write(group(rows.get(i), i));
      }
      SimpleGroup broken = new SimpleGroup(SCHEMA);
      broken.add("binary", Binary.EMPTY);
      broken.add("y", 1);
      writer.write(broken);
    }
    RowBlocks read =
        RowCollector.collect(
            spec(file, DataFormat.PARQUET),
            FeaturePipeline.of(),
            UnfitRows.of(Adjacency.ADD_REMOVE));
    assertThat(read.rows()).isEqualTo(40);
    assertThat(read.blocks().get(0).features()).isEqualTo(expected.blocks().get(0).features());
    assertThatThrownBy(() -> read(file, DataFormat.PARQUET)).hasMessageContaining("record 41");
  }

  @Test
  void decimals_areReadAsTheirDigitsInACsv_bitForBit() throws IOException {
    List<List<BigDecimal>> rows = rows(3, 5000);
    RowBlocks csv = read(csv(rows), DataFormat.CSV);
    RowBlocks parquet = read(parquet(rows), DataFormat.PARQUET);
    assertThat(parquet.rows()).isEqualTo(5000);
    for (int block = 0; block < csv.blocks().size(); block++) {
      assertThat(parquet.blocks().get(block).features())
          .isEqualTo(csv.blocks().get(block).features());
      assertThat(parquet.blocks().get(block).labels()).isEqualTo(csv.blocks().get(block).labels());
    }
  }

  /** Other programs give a column its type only where a row has a value. */
  @Test
  void aParquetColumnOfNoType_isMissingInEachRow() throws IOException {
    Table table =
        new Table(
            List.of(
                new Column("city", new CategoryType(List.of("a", "b"), true, true)),
                new Column("y", new LabelType(List.of("no", "yes"), Map.of(), List.of()))),
            List.of(),
            null);
    List<float[]> read = new ArrayList<>();
    for (boolean typed : new boolean[] {true, false}) {
      MessageType schema =
          Types.buildMessage()
              .optional(typed ? PrimitiveTypeName.BINARY : PrimitiveTypeName.INT32)
              .as(typed ? LogicalTypeAnnotation.stringType() : LogicalTypeAnnotation.unknownType())
              .named("city")
              .required(PrimitiveTypeName.BINARY)
              .as(LogicalTypeAnnotation.stringType())
              .named("y")
              .named("table");
      Path file = folder.resolve("typed-" + typed + ".parquet");
      try (ParquetWriter<Group> writer =
          ExampleParquetWriter.builder(new LocalOutputFile(file))
              .withConf(new PlainParquetConfiguration())
              .withType(schema)
              .build()) {
        writer.write(new SimpleGroup(schema).append("y", "yes"));
      }
      CsvLayout headed = CsvLayout.ofTable(',', true, false, 0);
      DataSpec spec = DataSpec.of(List.of(file), DataFormat.PARQUET, headed, table, null);
      RowBlocks rows = RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.REFUSED);
      read.add(rows.blocks().get(0).features());
    }
    assertThat(read.get(1)).isEqualTo(read.get(0)).contains(1);
  }
}
