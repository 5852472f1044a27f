package io.mutune.trainer.format;

import io.mutune.trainer.table.Cell;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UnknownLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** How the values of one column of Parquet that are not null become a cell's content. */
abstract class ParquetColumn extends PrimitiveConverter {
  final Cell cell;

  private ParquetColumn(Cell cell) {
    this.cell = cell;
  }

  @Override
  public void addInt(int value) {
    addLong(value);
  }

  /** Whether the values of such a column can become cells. */
  static boolean isFlat(Type type) {
    return of(type, new Cell()) != null;
  }

  /** What fills the cell with such a column's values; null where they cannot. */
  static @Nullable ParquetColumn of(Type type, Cell cell) {
    if (!type.isPrimitive() || type.isRepetition(Type.Repetition.REPEATED)) {
      return null;
    }
    PrimitiveType primitive = type.asPrimitiveType();
    LogicalTypeAnnotation meaning = primitive.getLogicalTypeAnnotation();
    if (meaning instanceof DecimalLogicalTypeAnnotation decimal) {
      return new Decimals(cell, decimal.getScale());
    }
    return switch (primitive.getPrimitiveTypeName()) {
      case BOOLEAN, FLOAT, DOUBLE -> new Values(cell);
      case INT32, INT64 -> whole(primitive.getPrimitiveTypeName(), meaning, cell);
      case BINARY -> {
        boolean isText =
            meaning instanceof StringLogicalTypeAnnotation
                || meaning instanceof EnumLogicalTypeAnnotation;
        yield isText ? new Texts(cell) : null;
      }
      case FIXED_LEN_BYTE_ARRAY, INT96 -> null;
    };
  }

  private static @Nullable ParquetColumn whole(
      PrimitiveTypeName bits, @Nullable LogicalTypeAnnotation meaning, Cell cell) {
    // A column of no known type has no values: which one that is follows from whether a row has
    // any.
    if (meaning == null || meaning instanceof UnknownLogicalTypeAnnotation) {
      return new Values(cell);
    }
    if (meaning instanceof IntLogicalTypeAnnotation type) {
      return type.isSigned() ? new Values(cell) : new Unsigned(cell);
    }
    if (meaning instanceof DateLogicalTypeAnnotation && bits == PrimitiveTypeName.INT32) {
      return new Days(cell, 1);
    }
    if (meaning instanceof TimestampLogicalTypeAnnotation time) {
      return new Days(
          cell,
          switch (time.getUnit()) {
            case MILLIS -> TimeUnit.DAYS.toMillis(1);
            case MICROS -> TimeUnit.DAYS.toMicros(1);
            case NANOS -> TimeUnit.DAYS.toNanos(1);
          });
    }
    return null;
  }

  private static final class Values extends ParquetColumn {
    Values(Cell cell) {
      super(cell);
    }

    @Override
    public void addBoolean(boolean value) {
      cell.setText(Boolean.toString(value));
    }

    @Override
    public void addDouble(double value) {
      cell.setNumber(value);
    }

    @Override
    public void addFloat(float value) {
      cell.setFloat(value);
    }

    @Override
    public void addLong(long value) {
      cell.setWhole(value);
    }
  }

  private static final class Unsigned extends ParquetColumn {
    Unsigned(Cell cell) {
      super(cell);
    }

    @Override
    public void addInt(int value) {
      cell.setWhole(Integer.toUnsignedLong(value));
    }

    @Override
    public void addLong(long value) {
      cell.setText(Long.toUnsignedString(value));
    }
  }

  /** Days, or times by the day in which they lie in UTC. */
  private static final class Days extends ParquetColumn {
    private final long unitsOfADay;

    Days(Cell cell, long unitsOfADay) {
      super(cell);
      this.unitsOfADay = unitsOfADay;
    }

    @Override
    public void addLong(long value) {
      cell.setTime(value, unitsOfADay);
    }
  }

  private static final class Decimals extends ParquetColumn {
    /** 150 digits. */
    private static final int MOST_BYTES = 64;

    private final int scale;

    Decimals(Cell cell, int scale) {
      super(cell);
      this.scale = scale;
    }

    @Override
    public void addLong(long value) {
      cell.setText(BigDecimal.valueOf(value, scale).toPlainString());
    }

    @Override
    public void addBinary(Binary value) {
      byte[] bytes = value.getBytes();
      if (bytes.length == 0 || bytes.length > MOST_BYTES) {
        // No bytes are no number, and far too many none of any precision: the row does not fit,
        // where numbers or ids are asked for.
        cell.setNumber(Double.NaN);
      } else {
        cell.setText(new BigDecimal(new BigInteger(bytes), scale).toPlainString());
      }
    }
  }

  private static final class Texts extends ParquetColumn {
    private char[][] dictionary = {};

    Texts(Cell cell) {
      super(cell);
    }

    @Override
    public boolean hasDictionarySupport() {
      return true;
    }

    @Override
    public void setDictionary(Dictionary values) {
      dictionary = new char[values.getMaxId() + 1][];
      for (int i = 0; i < dictionary.length; i++) {
        dictionary[i] = values.decodeToBinary(i).toStringUsingUTF8().toCharArray();
      }
    }

    @Override
    public void addValueFromDictionary(int id) {
      cell.setText(dictionary[id], 0, dictionary[id].length);
    }

    @Override
    public void addBinary(Binary value) {
      cell.setText(value.toStringUsingUTF8());
    }
  }
}
