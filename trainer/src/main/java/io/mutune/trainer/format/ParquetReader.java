package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Reads Parquet: flat columns, by their names; what is nested can only be ignored. */
record ParquetReader(RowSpec spec) implements RowReader {
  @Override
  public long read(RowSink sink) throws IOException {
    TableRows rows = new TableRows(spec, sink);
    try (ParquetFileReader file = open(spec.file())) {
      List<Type> types = new ArrayList<>();
      List<ParquetColumn> columns = new ArrayList<>();
      choose(file.getFileMetaData().getSchema(), rows, types, columns);
      RowFeed feed = new RowFeed(spec.range(), rows.width(), sink);
      MessageType schema = new MessageType("rows", types);
      file.setRequestedSchema(schema);
      while (!feed.done()) {
        PageReadStore group = next(file);
        if (group == null) {
          break;
        }
        Records records = new Records(columns, readers(file, group, schema, columns), rows, feed);
        for (long left = group.getRowCount(); left > 0 && !feed.done(); left--) {
          records.next();
        }
      }
      return feed.position();
    }
  }

  /** Every column of a file's schema. */
  static List<TableForm.Named> columns(Path path) throws IOException {
    try (ParquetFileReader file = open(path)) {
      return file.getFileMetaData().getSchema().getFields().stream()
          .map(type -> new TableForm.Named(type.getName().strip(), ParquetColumn.isFlat(type)))
          .toList();
    }
  }

  private static ParquetFileReader open(Path path) throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new ParquetCodecs())
            .usePageChecksumVerification()
            .build();
    ParquetFileReader file;
    try {
      file = ParquetFileReader.open(new LocalInputFile(path), options);
    } catch (IOException | RuntimeException e) {
      throw damaged(path);
    }
    Optional<CompressionCodecName> unread =
        file.getFooter().getBlocks().stream()
            .flatMap(block -> block.getColumns().stream())
            .map(ColumnChunkMetaData::getCodec)
            .filter(codec -> !ParquetCodecs.reads(codec))
            .findFirst();
    if (unread.isPresent()) {
      file.close();
      throw DataFormatException.in(
          path,
          "is compressed by "
              + unread.get()
              + ", which cannot be read; write it with snappy, zstd, gzip, lz4_raw or none");
    }
    return file;
  }

  /** The columns that the table reads, in the file's order. */
  private void choose(
      MessageType schema, TableRows rows, List<Type> types, List<ParquetColumn> columns)
      throws DataFormatException {
    List<Type> all = schema.getFields();
    int[] places = new int[all.size()];
    String fault = rows.place(all.stream().map(type -> type.getName().strip()).toList(), places);
    if (fault != null) {
      throw DataFormatException.in(spec.file(), fault);
    }
    for (int i = 0; i < places.length; i++) {
      if (places[i] != TableRows.UNREAD) {
        ParquetColumn column = ParquetColumn.of(all.get(i), rows.cell(places[i]));
        if (column == null) {
          throw DataFormatException.in(
              spec.file(),
              "column '" + rows.name(places[i]) + "' is neither numbers nor texts, flags or days");
        }
        types.add(all.get(i));
        columns.add(column);
      }
    }
  }

  private @Nullable PageReadStore next(ParquetFileReader file) throws DataFormatException {
    try {
      return file.readNextRowGroup();
    } catch (IOException | RuntimeException e) {
      throw damaged(spec.file());
    }
  }

  private List<ColumnReader> readers(
      ParquetFileReader file, PageReadStore group, MessageType schema, List<ParquetColumn> columns)
      throws DataFormatException {
    GroupConverter converters =
        new GroupConverter() {
          @Override
          public Converter getConverter(int field) {
            return columns.get(field);
          }

          @Override
          public void start() {}

          @Override
          public void end() {}
        };
    try {
      ColumnReadStoreImpl store =
          new ColumnReadStoreImpl(group, converters, schema, file.getFileMetaData().getCreatedBy());
      return schema.getColumns().stream().map(store::getColumnReader).toList();
    } catch (RuntimeException e) {
      throw damaged(spec.file());
    }
  }

  private static DataFormatException damaged(Path path) {
    return DataFormatException.in(
        path, "is truncated or damaged, or no Parquet file that can be read");
  }

  /** The rows of one group. */
  private final class Records implements RowFeed.Parser, RowSink.Place {
    private final ParquetColumn[] columns;
    private final ColumnReader[] readers;
    private final int[] defined;
    private final TableRows rows;
    private final RowFeed feed;

    Records(List<ParquetColumn> columns, List<ColumnReader> readers, TableRows rows, RowFeed feed) {
      this.columns = columns.toArray(ParquetColumn[]::new);
      this.readers = readers.toArray(ColumnReader[]::new);
      this.defined =
          readers.stream().mapToInt(r -> r.getDescriptor().getMaxDefinitionLevel()).toArray();
      this.rows = rows;
      this.feed = feed;
    }

    void next() throws DataFormatException {
      try {
        for (int i = 0; i < readers.length; i++) {
          if (readers[i].getCurrentDefinitionLevel() < defined[i]) {
            columns[i].cell.setMissing();
          } else {
            readers[i].writeCurrentValueToConverter();
          }
          readers[i].consume();
        }
      } catch (RuntimeException e) {
        throw damaged(spec.file());
      }
      feed.next(this, rows::unit);
    }

    @Override
    public int parse(float[] values) throws DataFormatException {
      rows.encode(values, this);
      return rows.label();
    }

    @Override
    public DataFormatException problem(String text) {
      return DataFormatException.in(spec.file(), "record " + feed.position() + ": " + text);
    }
  }
}
