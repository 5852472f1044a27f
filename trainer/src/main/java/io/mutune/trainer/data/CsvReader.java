package io.mutune.trainer.data;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.mutune.trainer.table.DecimalText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads delimited text, UTF-8, a row a line: no field holds a line break, so that a quote that is
 * left open spoils its own line alone, unless the layout says that fields hold some. Blank lines
 * and blanks around a field do not count. The stated number of features fixes the number of
 * columns, or the header; without both, the first line does.
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
    try (LineReader lines = lines()) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (line.isEmpty()) {
          continue;
        }
        lastLine = lines.number();
        boolean tooLong = lines.tooLong();
        if (feed == null) {
          feed = begin(line, tooLong, sink);
          if (spec.csv().header()) {
            continue;
          }
        }
        String text = line;
        feed.next(values -> parse(fields(text, tooLong), values));
        if (feed.done()) {
          break;
        }
      }
    }
    if (feed == null) {
      beginWithoutRows(sink);
      return 0;
    }
    return feed.position();
  }

  private LineReader lines() throws IOException {
    return spec.csv().lineBreaks()
        ? LineReader.ofRows(spec.file(), spec.csv().delimiter())
        : LineReader.open(spec.file());
  }

  private List<String> fields(String line, boolean tooLong) throws DataFormatException {
    if (tooLong) {
      throw problem("the line is too long");
    }
    if (line.indexOf('"') >= 0) {
      return quoted(line);
    }
    List<String> fields = new ArrayList<>(columns);
    int from = 0;
    for (int to = line.indexOf(spec.csv().delimiter()); to >= 0; ) {
      fields.add(line.substring(from, to));
      from = to + 1;
      to = line.indexOf(spec.csv().delimiter(), from);
    }
    fields.add(line.substring(from));
    return fields;
  }

  private List<String> quoted(String line) throws DataFormatException {
    try (var records =
        de.siegmar.fastcsv.reader.CsvReader.builder()
            .fieldSeparator(spec.csv().delimiter())
            .allowUnclosedQuote(false)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE) // parse() tells of it
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .build(
                CsvRecordHandler.of(handler -> handler.maxFields(DataSpec.MAX_FEATURES + 1)),
                line)) {
      Iterator<CsvRecord> record = records.iterator();
      return record.next().getFields();
    } catch (CsvParseException | IOException e) {
      throw problem(
          "the line cannot be split into fields: an open quote, text after a closing quote, or a"
              + " field that is too long");
    }
  }

  /** Without a header, a stated width stands: the first row may be one that does not fit. */
  private RowFeed begin(String line, boolean tooLong, RowSink sink) throws DataFormatException {
    Integer features = spec.features();
    Integer stated = spec.csv().header() || spec.labelling() == null ? null : features;
    List<String> first = stated != null ? List.of() : fields(line, tooLong);
    columns = stated != null ? stated + 1 : first.size();
    List<String> header = first.stream().map(String::strip).toList();
    label = spec.csv().label().position(header, columns);
    if (label < 0 && spec.csv().label().isExpected(columns)) {
      // A name or an index of the sweep file or the command line, so it may be told.
      throw problem("has no label column '" + spec.csv().label().text() + "'");
    }
    int width = label < 0 ? columns : columns - 1;
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

  private int parse(List<String> record, float[] values) throws DataFormatException {
    if (record.size() != columns) {
      throw problem("has " + record.size() + " columns instead of " + columns);
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
        .codeOf(record.get(label))
        .orElseThrow(() -> problem("column " + (label + 1) + labelling.fault()));
  }

  private float number(List<String> record, int column) throws DataFormatException {
    String text = record.get(column).strip();
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
