package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files of Parquet, however their pages are compressed. */
class ParquetCodecsTest {
  private static final int ROWS = 3000;

  private static final MessageType SCHEMA =
      Types.buildMessage()
          .optional(PrimitiveTypeName.DOUBLE)
          .named("x")
          .required(PrimitiveTypeName.INT32)
          .named("y")
          .named("table");

  private static final Table TABLE =
      new Table(
          List.of(
              new Column("x", new NumberType(new Scaled(0, ROWS, false, 3), 0.0)),
              new Column("y", new LabelType(List.of("0", "1"), Map.of(), List.of()))),
          List.of(),
          null);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(
      value = CompressionCodecName.class,
      names = {"SNAPPY", "ZSTD", "GZIP", "LZ4_RAW"})
  void eachThatPeopleWrite_isRead(CompressionCodecName codec) throws IOException {
    RowBlocks plain = read(written(CompressionCodecName.UNCOMPRESSED, WriterVersion.PARQUET_1_0));
    for (WriterVersion version : WriterVersion.values()) {
      RowBlocks packed = read(written(codec, version));
      assertThat(packed.rows()).isEqualTo(ROWS);
      assertThat(packed.blocks()).usingRecursiveComparison().isEqualTo(plain.blocks());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = CompressionCodecName.class,
      names = {"BROTLI", "LZO", "LZ4"})
  void another_isNamed(CompressionCodecName codec) throws IOException {
    Path file = written(codec, WriterVersion.PARQUET_1_0);
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(
            "is compressed by " + codec + ", which cannot be read; write it with");
  }

  @ParameterizedTest
  @EnumSource(WriterVersion.class)
  void aPageThatUnpacksToLessThanItSays_isDamage(WriterVersion version) throws IOException {
    Path file = folder.resolve("short.parquet");
    write(file, CompressionCodecName.GZIP, version, true);
    assertThatThrownBy(() -> read(file)).hasMessageContaining("damaged");
  }

  private static RowBlocks read(Path file) throws IOException {
    DataSpec spec =
        DataSpec.of(
            List.of(file), DataFormat.PARQUET, CsvLayout.ofTable(',', true, false, 0), TABLE, null);
    return RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.REFUSED);
  }

  private Path written(CompressionCodecName codec, WriterVersion version) throws IOException {
    Path file = folder.resolve(codec + "-" + version + ".parquet");
    Files.deleteIfExists(file);
    write(file, codec, version, false);
    return file;
  }

  private static void write(
      Path file, CompressionCodecName codec, WriterVersion version, boolean cut)
      throws IOException {
    ExampleParquetWriter.Builder builder =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(SCHEMA)
            .withWriterVersion(version)
            .withCompressionCodec(codec);
    boolean own =
        List.of("GZIP", "BROTLI", "LZO", "LZ4").contains(codec.name()); // else Hadoop is needed
    try (ParquetWriter<Group> writer =
        (own ? builder.withCodecFactory(new GzipAlone(cut)) : builder).build()) {
      for (int row = 0; row < ROWS; row++) {
        SimpleGroup group = new SimpleGroup(SCHEMA);
        if (row % 7 != 0) {
          group.add(0, row + 0.25);
        }
        group.add(1, row % 2);
        writer.write(group);
      }
    }
  }

  /** By whatever name, gzip. */
  private record GzipAlone(boolean cut) implements CompressionCodecFactory {
    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
      return new BytesInputCompressor() {
        @Override
        public BytesInput compress(BytesInput bytes) throws IOException {
          ByteArrayOutputStream packed = new ByteArrayOutputStream();
          byte[] all = bytes.toInputStream().readAllBytes();
          try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(all, 0, cut ? all.length / 2 : all.length);
          }
          return BytesInput.from(packed.toByteArray());
        }

        @Override
        public CompressionCodecName getCodecName() {
          return codec;
        }

        @Override
        public void release() {}
      };
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void release() {}
  }
}
