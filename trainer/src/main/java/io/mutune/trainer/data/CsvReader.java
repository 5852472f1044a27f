package io.mutune.trainer.data;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads delimited text, UTF-8, a row a record. Blank lines and blanks around a field do not count.
 * The header, or without one the first record, fixes the number of columns.
 */
final class CsvReader implements RowReader {
  private final RowSpec spec;
  private int columns;
  private int label;
  private @Nullable RowFeed feed;
  private long lastLine;

  CsvReader(RowSpec spec) {
    this.spec = spec;
  }

  @Override
  public long read(RowSink sink) throws IOException {
    try (var records =
        de.siegmar.fastcsv.reader.CsvReader.builder()
            .fieldSeparator(spec.csv().delimiter())
            .allowUnclosedQuote(false)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE) // parse() tells of it
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .detectBomHeader(true)
            .build(
                CsvRecordHandler.of(handler -> handler.maxFields(DataSpec.MAX_FEATURES + 1)),
                InputFile.open(spec.file()))) {
      for (CsvRecord record : records) {
        lastLine = record.getStartingLineNumber();
        if (feed == null) {
          feed = begin(record, sink);
          if (spec.csv().header()) {
            continue;
          }
        }
        feed.next(values -> parse(record, values));
        if (feed.done()) {
          break;
        }
      }
    } catch (CsvParseException e) {
      throw problem(
          "the record after this line cannot be split into fields: an open quote, text after a"
              + " closing quote, or a record that is too long");
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (feed == null) {
      beginWithoutRows(sink);
      return 0;
    }
    return feed.position();
  }

  private RowFeed begin(CsvRecord first, RowSink sink) throws DataFormatException {
    columns = first.getFieldCount();
    List<String> header = first.getFields().stream().map(String::strip).toList();
    label = spec.csv().label().position(header, columns);
    if (label < 0 && spec.csv().label().isExpected(columns)) {
      // A name or an index of the sweep file or the command line, so it may be told.
      throw problem("has no label column '" + spec.csv().label().text() + "'");
    }
    int width = label < 0 ? columns : columns - 1;
    Integer features = spec.features();
    if (features != null && features != width) {
      throw problem(
          "has " + columns + (columns == 1 ? " column" : " columns") + expected(features));
    }
    if (width < 1) {
      throw problem("has no column beside the label: is the delimiter right?");
    }
    return new RowFeed(spec.range(), width, sink);
  }

  private String expected(int features) {
    if (label >= 0) {
      return " instead of " + features + " and the label";
    }
    boolean optional = spec.csv().label() instanceof LabelColumn.IfPresent;
    return " instead of " + features + (optional ? ", or " + (features + 1) + " with a label" : "");
  }

  private void beginWithoutRows(RowSink sink) throws DataFormatException {
    Integer features = spec.features();
    if (features == null || spec.csv().header()) {
      throw DataFormatException.in(spec.file(), "is empty");
    }
    sink.begin(features);
  }

  private int parse(CsvRecord record, float[] values) throws DataFormatException {
    if (record.getFieldCount() != columns) {
      throw problem("has " + record.getFieldCount() + " columns instead of " + columns);
    }
    for (int column = 0; column < columns; column++) {
      if (column != label) {
        values[label < 0 || column < label ? column : column - 1] = number(record, column);
      }
    }
    Labelling labelling = spec.labelling();
    if (labelling == null) {
      return RowSpec.UNLABELLED;
    }
    return labelling
        .codeOf(record.getField(label))
        .orElseThrow(() -> problem("column " + (label + 1) + labelling.fault()));
  }

  private float number(CsvRecord record, int column) throws DataFormatException {
    String text = record.getField(column).strip();
    float value = DecimalText.parse(text);
    if (Float.isNaN(value)) {
      String fault = text.isEmpty() ? " is empty" : " is not a finite number";
      throw problem("column " + (column + 1) + fault);
    }
    return value;
  }

  private DataFormatException problem(String text) {
    return DataFormatException.atLine(spec.file(), lastLine, text);
  }
}
