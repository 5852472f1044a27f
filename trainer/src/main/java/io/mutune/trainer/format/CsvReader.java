package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.table.Cell;
import io.mutune.trainer.table.DecimalText;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads delimited text, UTF-8, a row a line: no field holds a line break, so that a quote that is
 * left open spoils its own line alone, unless the layout says that fields hold some. Blanks around
 * a field do not count, nor do empty lines, except that of one column each is a missing cell. The
 * stated number of features fixes the number of columns, or the table, or the header; without
 * these, the first line does.
 */
final class CsvReader implements RowReader {
  private final RowSpec spec;
  private final CsvFields fields;

  CsvReader(RowSpec spec) {
    this.spec = spec;
    this.fields = new CsvFields(spec.csv().delimiter(), RowForm.MAX_FEATURES + 1);
  }

  @Override
  public long read(RowSink sink) throws IOException {
    try (LineReader lines = LineReader.ofRows(spec)) {
      lines.skip(spec.csv().skipLines());
      boolean isThere = lines.advance();
      boolean beginsEmpty = isThere && lines.isEmpty();
      requireBegin(statedColumns(), beginsEmpty);
      if (beginsEmpty ? !lines.advanceToText() : !isThere) {
        beginWithoutRows(sink);
        return 0;
      }
      if (spec.table() == null) {
        Numbers numbers = new Numbers(lines);
        requireBegin(numbers.columns, beginsEmpty);
        boolean ofOne = numbers.columns == 1;
        return read(
            lines, ofOne, new RowFeed(spec.range(), numbers.width(), sink), numbers, () -> null);
      }
      TableRows rows = new TableRows(spec, sink);
      Named named = new Named(lines, rows);
      requireBegin(named.cells.length, beginsEmpty);
      boolean ofOne = named.cells.length == 1;
      return read(lines, ofOne, new RowFeed(spec.range(), rows.width(), sink), named, rows::unit);
    }
  }

  /** From the first line on, which may be a header. */
  private long read(
      LineReader lines,
      boolean ofOneColumn,
      RowFeed feed,
      RowFeed.Parser parser,
      Supplier<@Nullable String> unit)
      throws IOException {
    boolean isRow = !spec.csv().header() || advance(lines, ofOneColumn);
    while (isRow) {
      feed.next(parser, unit);
      isRow = !feed.done() && advance(lines, ofOneColumn);
    }
    return feed.position();
  }

  /** Of each line without a label, where that is stated; 0 where it is not. */
  private int statedColumns() {
    Table table = spec.table();
    if (spec.labelling() != null) {
      return 0;
    }
    if (table != null) {
      return table.columns().size() - (int) table.label().stream().count();
    }
    Integer features = spec.features();
    return features == null ? 0 : features;
  }

  private static boolean advance(LineReader lines, boolean ofOneColumn) throws IOException {
    return ofOneColumn ? lines.advance() : lines.advanceToText();
  }

  /** Refuses a file in which an empty line was passed over that may be a row. */
  private void requireBegin(int columns, boolean beginsEmpty) throws DataFormatException {
    if (columns == 1 && beginsEmpty && !spec.csv().header()) {
      throw DataFormatException.in(
          spec.file(),
          "begins with an empty line, which in one column without a header is a row or none: take"
              + " it out, or give the file a header");
    }
  }

  /** The fields of the first line; none of a file without one. */
  static List<String> header(RowSpec spec) throws IOException {
    CsvReader reader = new CsvReader(spec);
    try (LineReader lines = LineReader.ofRows(spec)) {
      lines.skip(spec.csv().skipLines());
      return lines.advanceToText() ? reader.texts(lines) : List.of();
    }
  }

  private void beginWithoutRows(RowSink sink) throws DataFormatException {
    Integer features = spec.features();
    if (features == null || spec.csv().header()) {
      throw DataFormatException.in(spec.file(), "is empty");
    }
    if (spec.table() == null && spec.labelling() != null) {
      label(List.of(), features + 1);
    }
    sink.begin(features);
  }

  /** Where the label is in a line, negative where it has none. Tells of no line: none need be. */
  private int label(List<String> header, int columns) throws DataFormatException {
    LabelColumn label = spec.csv().label();
    int position = label.position(header, columns);
    if (position < 0 && label.isExpected(columns)) {
      // A name or an index of the sweep file or the command line, so it may be told.
      boolean several = header.indexOf(label.text()) != header.lastIndexOf(label.text());
      throw DataFormatException.in(
          spec.file(),
          (several ? "has several columns of the label's name, '" : "has no label column '")
              + label.text()
              + "'");
    }
    return position;
  }

  private void split(LineReader line) throws DataFormatException {
    if (line.tooLong()) {
      throw problem(line, "the line is too long");
    }
    if (!fields.split(line.chars(), line.from(), line.to())) {
      throw problem(
          line,
          "the line cannot be split into fields: an open quote (fields with line breaks need"
              + " lineBreaks: true), text after a closing quote, or too many of them");
    }
  }

  private List<String> texts(LineReader line) throws DataFormatException {
    split(line);
    return fields.texts();
  }

  private DataFormatException problem(LineReader line, String text) {
    return DataFormatException.atLine(spec.file(), line.number(), text);
  }

  private DataFormatException wrongCount(LineReader line, int columns) {
    return problem(line, "has " + fields.count() + " columns instead of " + columns);
  }

  /** Columns with names and types. */
  private final class Named implements RowFeed.Parser, RowSink.Place {
    private final LineReader line;
    private final TableRows rows;

    /** For each field the cell that it fills; null where it is not read. */
    private final @Nullable Cell[] cells;

    /** At the first line. */
    Named(LineReader line, TableRows rows) throws DataFormatException {
      this.line = line;
      this.rows = rows;
      int[] places;
      if (spec.csv().header()) {
        List<String> header = texts(line);
        places = new int[header.size()];
        String fault = rows.place(header, places);
        if (fault != null && places.length == 1 && rows.columns() > 1) {
          fault = "has one column where several are named: is the delimiter right?";
        }
        if (fault != null) {
          throw DataFormatException.atLine(spec.file(), line.number(), fault);
        }
      } else {
        boolean isLabelled = spec.labelling() != null;
        if (!isLabelled) {
          split(line);
        }
        places = rows.places(isLabelled ? rows.columns() : fields.count());
        if (!isLabelled && fields.count() < places.length) {
          throw problem(
              "has %d columns instead of %d: without a header those that are not read count too"
                  .formatted(fields.count(), places.length));
        }
      }
      cells = new Cell[places.length];
      for (int i = 0; i < places.length; i++) {
        cells[i] = places[i] == TableRows.UNREAD ? null : rows.cell(places[i]);
      }
    }

    @Override
    public int parse(float[] values) throws DataFormatException {
      split(line);
      if (fields.count() != cells.length) {
        throw wrongCount(line, cells.length);
      }
      for (int i = 0; i < cells.length; i++) {
        Cell cell = cells[i];
        if (cell != null) {
          cell.setText(fields.chars(), fields.start(i), fields.end(i));
        }
      }
      rows.encode(values, this);
      return rows.label();
    }

    @Override
    public DataFormatException problem(String text) {
      return CsvReader.this.problem(line, text);
    }
  }

  /** Columns that are numbers, and one the label. */
  private final class Numbers implements RowFeed.Parser {
    private final LineReader line;
    private final int columns;
    private final int label;

    /** At the first line. Without a header a stated width stands: that row may not fit. */
    Numbers(LineReader line) throws DataFormatException {
      this.line = line;
      Integer features = spec.features();
      Integer stated = spec.csv().header() || spec.labelling() == null ? null : features;
      List<String> first = stated != null ? List.of() : texts(line);
      columns = stated != null ? stated + 1 : first.size();
      label = label(first, columns);
      if (features != null && features != width()) {
        throw problem(
            line, "has " + columns + (columns == 1 ? " column" : " columns") + expected(features));
      }
      if (width() < 1) {
        throw problem(line, "has no column beside the label: is the delimiter right?");
      }
    }

    int width() {
      return label < 0 ? columns : columns - 1;
    }

    private String expected(int features) {
      if (label >= 0) {
        return " instead of " + features + " and the label";
      }
      boolean optional = spec.csv().label() instanceof LabelColumn.IfPresent;
      return " instead of "
          + features
          + (optional ? ", or " + (features + 1) + " with a label" : "");
    }

    @Override
    public int parse(float[] values) throws DataFormatException {
      split(line);
      if (fields.count() != columns) {
        throw wrongCount(line, columns);
      }
      for (int column = 0; column < columns; column++) {
        if (column != label) {
          values[label < 0 || column < label ? column : column - 1] = number(column);
        }
      }
      Labelling labelling = spec.labelling();
      if (labelling == null) {
        return RowSpec.UNLABELLED;
      }
      return labelling
          .codeOf(fields.text(label))
          .orElseThrow(() -> problem(line, "column " + (label + 1) + labelling.fault()));
    }

    private float number(int column) throws DataFormatException {
      String text = fields.text(column);
      float value = DecimalText.parse(text);
      if (Float.isNaN(value)) {
        String fault = text.isEmpty() ? " is empty" : " is not a finite number";
        throw problem(line, "column " + (column + 1) + fault);
      }
      return value;
    }
  }
}
