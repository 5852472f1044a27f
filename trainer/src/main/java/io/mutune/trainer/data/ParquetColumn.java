package io.mutune.trainer.data;

import io.mutune.trainer.table.Cell;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** One column of a group of Parquet's rows, from value to value. */
final class ParquetColumn {
  /** How a value that is not null becomes a cell's content. */
  interface Content {
    void put(ColumnReader from, Cell cell);
  }

  private final ColumnReader reader;
  private final Content content;
  private final Cell cell;
  private final int defined;

  ParquetColumn(ColumnReader reader, Content content, Cell cell) {
    this.reader = reader;
    this.content = content;
    this.cell = cell;
    this.defined = reader.getDescriptor().getMaxDefinitionLevel();
  }

  /** Fills the cell with the next value. */
  void next() {
    if (reader.getCurrentDefinitionLevel() < defined) {
      cell.setMissing();
    } else {
      content.put(reader, cell);
    }
    reader.consume();
  }

  /** How a column's values become cells; null where they cannot. */
  static @Nullable Content content(Type type) {
    if (!type.isPrimitive() || type.isRepetition(Type.Repetition.REPEATED)) {
      return null;
    }
    PrimitiveType primitive = type.asPrimitiveType();
    LogicalTypeAnnotation meaning = primitive.getLogicalTypeAnnotation();
    return switch (primitive.getPrimitiveTypeName()) {
      case BOOLEAN -> (from, cell) -> cell.setText(Boolean.toString(from.getBoolean()));
      case FLOAT -> (from, cell) -> cell.setNumber(from.getFloat());
      case DOUBLE -> (from, cell) -> cell.setNumber(from.getDouble());
      case INT32 -> ofInt(meaning);
      case INT64 -> ofLong(meaning);
      case BINARY, FIXED_LEN_BYTE_ARRAY -> ofBytes(meaning);
      case INT96 -> null;
    };
  }

  private static @Nullable Content ofInt(@Nullable LogicalTypeAnnotation meaning) {
    if (meaning instanceof DateLogicalTypeAnnotation) {
      return (from, cell) -> cell.setDay(from.getInteger());
    }
    if (meaning instanceof DecimalLogicalTypeAnnotation decimal) {
      return (from, cell) ->
          cell.setText(BigDecimal.valueOf(from.getInteger(), decimal.getScale()).toPlainString());
    }
    if (meaning instanceof IntLogicalTypeAnnotation whole && !whole.isSigned()) {
      return (from, cell) -> cell.setWhole(Integer.toUnsignedLong(from.getInteger()));
    }
    return meaning == null || meaning instanceof IntLogicalTypeAnnotation
        ? (from, cell) -> cell.setWhole(from.getInteger())
        : null;
  }

  private static @Nullable Content ofLong(@Nullable LogicalTypeAnnotation meaning) {
    if (meaning instanceof TimestampLogicalTypeAnnotation time) {
      long day =
          switch (time.getUnit()) {
            case MILLIS -> TimeUnit.DAYS.toMillis(1);
            case MICROS -> TimeUnit.DAYS.toMicros(1);
            case NANOS -> TimeUnit.DAYS.toNanos(1);
          };
      return (from, cell) -> cell.setDay(Math.floorDiv(from.getLong(), day));
    }
    if (meaning instanceof DecimalLogicalTypeAnnotation decimal) {
      return (from, cell) ->
          cell.setText(BigDecimal.valueOf(from.getLong(), decimal.getScale()).toPlainString());
    }
    if (meaning instanceof IntLogicalTypeAnnotation whole && !whole.isSigned()) {
      return (from, cell) -> cell.setText(Long.toUnsignedString(from.getLong()));
    }
    return meaning == null || meaning instanceof IntLogicalTypeAnnotation
        ? (from, cell) -> cell.setWhole(from.getLong())
        : null;
  }

  private static @Nullable Content ofBytes(@Nullable LogicalTypeAnnotation meaning) {
    if (meaning instanceof DecimalLogicalTypeAnnotation decimal) {
      return (from, cell) ->
          cell.setText(
              new BigDecimal(new BigInteger(from.getBinary().getBytes()), decimal.getScale())
                  .toPlainString());
    }
    return meaning instanceof StringLogicalTypeAnnotation
            || meaning instanceof EnumLogicalTypeAnnotation
        ? (from, cell) -> cell.setText(from.getBinary().toStringUsingUTF8())
        : null;
  }

  /** What the library asks for and we do not use: values are taken one by one. */
  static GroupConverter noConverters() {
    PrimitiveConverter none = new PrimitiveConverter() {};
    return new GroupConverter() {
      @Override
      public Converter getConverter(int field) {
        return none;
      }

      @Override
      public void start() {}

      @Override
      public void end() {}
    };
  }
}
