package io.mutune.trainer.data;

import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Reads Parquet: flat columns, by their names; what is nested can only be ignored. */
final class ParquetReader implements RowReader {
  private final RowSpec spec;
  private final Table table;

  ParquetReader(RowSpec spec) {
    this.spec = spec;
    this.table = Objects.requireNonNull(spec.table());
  }

  @Override
  public long read(RowSink sink) throws IOException {
    TableRows rows = new TableRows(spec, table, sink);
    try (ParquetFileReader file = open(spec.file())) {
      return read(file, rows, new RowFeed(spec.range(), rows.width(), sink));
    }
  }

  /** Every column of a file's schema. */
  static List<TableForm.Named> columns(Path path) throws IOException {
    try (ParquetFileReader file = open(path)) {
      return file.getFileMetaData().getSchema().getFields().stream()
          .map(
              field ->
                  new TableForm.Named(
                      field.getName().strip(), ParquetColumn.content(field) != null))
          .toList();
    }
  }

  private static ParquetFileReader open(Path path) throws DataFormatException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .usePageChecksumVerification()
            .build();
    try {
      return ParquetFileReader.open(new LocalInputFile(path), options);
    } catch (IOException | RuntimeException e) {
      throw damaged(path);
    }
  }

  private long read(ParquetFileReader file, TableRows rows, RowFeed feed) throws IOException {
    MessageType schema = file.getFileMetaData().getSchema();
    List<Type> fields = schema.getFields();
    int[] places = new int[fields.size()];
    String fault =
        rows.place(fields.stream().map(field -> field.getName().strip()).toList(), places);
    if (fault != null) {
      throw DataFormatException.in(spec.file(), fault);
    }
    List<Type> wanted = new ArrayList<>();
    List<ParquetColumn.Content> contents = new ArrayList<>();
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      if (places[i] != TableRows.UNREAD) {
        ParquetColumn.Content content = ParquetColumn.content(fields.get(i));
        if (content == null) {
          throw DataFormatException.in(
              spec.file(),
              "column '" + rows.name(places[i]) + "' is neither numbers nor texts, flags or days");
        }
        wanted.add(fields.get(i));
        contents.add(content);
        columns.add(places[i]);
      }
    }
    MessageType requested = new MessageType(schema.getName(), wanted);
    file.setRequestedSchema(requested);
    Record record = new Record(rows, feed);
    for (PageReadStore group = next(file); group != null && !feed.done(); group = next(file)) {
      ColumnReadStoreImpl store =
          new ColumnReadStoreImpl(
              group,
              ParquetColumn.noConverters(),
              requested,
              file.getFileMetaData().getCreatedBy());
      record.columns.clear();
      try {
        for (int i = 0; i < wanted.size(); i++) {
          record.columns.add(
              new ParquetColumn(
                  store.getColumnReader(requested.getColumns().get(i)),
                  contents.get(i),
                  rows.cell(columns.get(i))));
        }
      } catch (RuntimeException e) {
        throw damaged();
      }
      for (long left = group.getRowCount(); left > 0 && !feed.done(); left--) {
        record.read();
        feed.next(record);
      }
    }
    return feed.position();
  }

  private @Nullable PageReadStore next(ParquetFileReader file) throws DataFormatException {
    try {
      return file.readNextRowGroup();
    } catch (IOException | RuntimeException e) {
      throw damaged();
    }
  }

  private DataFormatException damaged() {
    return damaged(spec.file());
  }

  private static DataFormatException damaged(Path path) {
    return DataFormatException.in(
        path, "is truncated or damaged, or no Parquet file that can be read");
  }

  private final class Record implements RowFeed.Parser {
    private final TableRows rows;
    private final RowFeed feed;
    private final List<ParquetColumn> columns = new ArrayList<>();

    Record(TableRows rows, RowFeed feed) {
      this.rows = rows;
      this.feed = feed;
    }

    void read() throws DataFormatException {
      try {
        for (ParquetColumn column : columns) {
          column.next();
        }
      } catch (RuntimeException e) {
        throw damaged();
      }
    }

    @Override
    public int parse(float[] values) throws DataFormatException {
      String fault = rows.encode(values);
      if (fault != null) {
        throw DataFormatException.in(spec.file(), "record " + feed.position() + ": " + fault);
      }
      return rows.label();
    }

    @Override
    public @Nullable String unit() {
      return rows.unit();
    }
  }
}
