package io.mutune.trainer.data;

import blue.strategic.parquet.Dehydrator;
import blue.strategic.parquet.ParquetWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/**
 * One table, to be written in every format that has named columns.
 *
 * @param names of the columns
 * @param rows a Double, Float, Long, Boolean, LocalDate, String or null for each column
 */
public record TableFiles(List<String> names, List<@Nullable Object[]> rows) {
  /** Columns in the opposite order, with a header. */
  public Path csv(Path file) {
    List<Integer> order =
        IntStream.range(0, names.size()).mapToObj(i -> names.size() - 1 - i).toList();
    StringBuilder text = new StringBuilder();
    text.append(order.stream().map(names::get).collect(Collectors.joining(","))).append('\n');
    for (Object[] row : rows) {
      text.append(order.stream().map(i -> quoted(row[i])).collect(Collectors.joining(",")))
          .append("\r\n");
    }
    return write(file, text.toString());
  }

  /** Columns in order, without a header. */
  public Path tsv(Path file) {
    StringBuilder text = new StringBuilder();
    for (Object[] row : rows) {
      text.append(Arrays.stream(row).map(TableFiles::quoted).collect(Collectors.joining("\t")))
          .append('\n');
    }
    return write(file, text.toString());
  }

  /** Keys in order; of what is missing every other key is left out. */
  public Path jsonl(Path file) {
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      @Nullable Object[] row = rows.get(r);
      int line = r;
      text.append(
              IntStream.range(0, names.size())
                  .filter(i -> row[i] != null || (i + line) % 2 == 0)
                  .mapToObj(i -> "\"" + names.get(i) + "\": " + json(row[i]))
                  .collect(Collectors.joining(", ", "{", "}")))
          .append('\n');
    }
    return write(file, text.toString());
  }

  public Path parquet(Path file) {
    Types.MessageTypeBuilder schema = Types.buildMessage();
    for (int i = 0; i < names.size(); i++) {
      schema.addField(field(i));
    }
    MessageType type = schema.named("table");
    Dehydrator<@Nullable Object[]> cells =
        (row, writer) -> {
          for (int i = 0; i < row.length; i++) {
            Object value = row[i];
            if (value != null) {
              writer.write(
                  names.get(i),
                  value instanceof LocalDate day ? (Object) (int) day.toEpochDay() : value);
            }
          }
        };
    try (ParquetWriter<@Nullable Object[]> writer =
        ParquetWriter.writeFile(type, file.toFile(), cells)) {
      for (Object[] row : rows) {
        writer.write(row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  private Type field(int column) {
    Object value =
        rows.stream().map(row -> row[column]).filter(v -> v != null).findFirst().orElse("");
    String name = names.get(column);
    if (value instanceof Double) {
      return Types.optional(PrimitiveTypeName.DOUBLE).named(name);
    }
    if (value instanceof Float) {
      return Types.optional(PrimitiveTypeName.FLOAT).named(name);
    }
    if (value instanceof Long) {
      return Types.optional(PrimitiveTypeName.INT64).named(name);
    }
    if (value instanceof Boolean) {
      return Types.optional(PrimitiveTypeName.BOOLEAN).named(name);
    }
    if (value instanceof LocalDate) {
      return Types.optional(PrimitiveTypeName.INT32)
          .as(LogicalTypeAnnotation.dateType())
          .named(name);
    }
    return Types.optional(PrimitiveTypeName.BINARY)
        .as(LogicalTypeAnnotation.stringType())
        .named(name);
  }

  private static String plain(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  private static String quoted(@Nullable Object value) {
    String text = plain(value);
    return value instanceof String && text.matches(".*[,\"].*")
        ? "\"" + text.replace("\"", "\"\"") + "\""
        : text;
  }

  private static String json(@Nullable Object value) {
    return value instanceof String || value instanceof LocalDate
        ? "\"" + plain(value).replace("\\", "\\\\").replace("\"", "\\\"") + "\""
        : String.valueOf(value);
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
