package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.table.Cell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON lines: a row a line, each an object whose keys are names of columns. A key that is not
 * there is a missing value, as null is; empty lines do not count.
 */
record JsonLinesReader(RowSpec spec) implements RowReader {
  private static final int MOST_NESTED = 500;

  /**
   * Of what a line can hold, and without the table of names that its parsers share, through which a
   * row slows down others.
   */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(LineReader.MOST)
                  .maxStringLength(LineReader.MOST)
                  .maxNameLength(LineReader.MOST)
                  .maxNestingDepth(MOST_NESTED) // each takes more memory than its characters
                  .build())
          .build();

  @Override
  public long read(RowSink sink) throws IOException {
    TableRows rows = new TableRows(spec, sink);
    RowFeed feed = new RowFeed(spec.range(), rows.width(), sink);
    try (LineReader lines = LineReader.open(spec)) {
      Line parser = new Line(lines, rows);
      while (!feed.done() && lines.advanceToText()) {
        feed.next(parser, rows::unit);
      }
    }
    return feed.position();
  }

  /** Every key of a file's objects, in the order in which they are first seen. */
  static List<TableForm.Named> columns(Path file) throws IOException {
    Map<String, Boolean> flat = new LinkedHashMap<>();
    try (LineReader lines = LineReader.open(file)) {
      while (lines.advance()) {
        try (JsonParser parser = parser(lines)) {
          boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
          for (String name = isObject ? parser.nextName() : null;
              name != null;
              name = parser.nextName()) {
            flat.merge(name, parser.nextToken().isScalarValue(), Boolean::logicalAnd);
            parser.skipChildren();
          }
        } catch (RuntimeException e) {
          // No row, as the reading itself will tell.
        }
      }
    }
    return flat.entrySet().stream()
        .map(key -> new TableForm.Named(key.getKey(), key.getValue()))
        .toList();
  }

  private static JsonParser parser(LineReader line) {
    return JSON.createParser(
        ObjectReadContext.empty(), line.chars(), line.from(), line.to() - line.from());
  }

  private final class Line implements RowFeed.Parser, RowSink.Place {
    private final LineReader line;
    private final TableRows rows;

    /** For each column the line that it was last seen on. */
    private final long[] seen;

    /** Whether the row has a key that was passed over. */
    private boolean hasOther;

    Line(LineReader line, TableRows rows) {
      this.line = line;
      this.rows = rows;
      this.seen = new long[rows.columns()];
    }

    @Override
    public int parse(float[] values) throws DataFormatException {
      if (line.tooLong()) {
        throw problem("the line is too long");
      }
      hasOther = false;
      try (JsonParser parser = parser(line)) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
          throw problem("the line is not an object of JSON");
        }
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
          take(name, parser);
        }
        if (parser.nextToken() != null) {
          throw problem("the line goes on after its object");
        }
      } catch (RuntimeException e) { // whatever the parser fails at is the line's
        throw problem("the line is not an object of JSON");
      }
      for (int i = 0; i < seen.length; i++) {
        if (seen[i] != line.number()) {
          if (hasOther && rows.isRead(i)) {
            throw problem(
                "the object has a key that names no column, and has no '" + rows.name(i) + "'");
          }
          rows.cell(i).setMissing();
        }
      }
      rows.encode(values, this);
      return rows.label();
    }

    private void take(String name, JsonParser parser) throws DataFormatException {
      Integer column = rows.position(name);
      if (column == null && rows.passesOverOthers()) {
        hasOther = true;
        parser.nextToken();
        parser.skipChildren();
        return;
      }
      if (column == null) {
        throw problem(
            "the object has a key that names no column: name it, with the type ignore if it is of"
                + " no use, or take it out of the file");
      }
      if (seen[column] == line.number()) {
        throw problem("the object has the key '" + name + "' twice");
      }
      seen[column] = line.number();
      JsonToken value = parser.nextToken();
      if (!rows.isRead(column)) {
        parser.skipChildren();
        return;
      }
      Cell cell = rows.cell(column);
      switch (value) {
        case VALUE_NULL -> cell.setMissing();
        case VALUE_TRUE, VALUE_FALSE -> cell.setText(value.asString());
        case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
            cell.copyText(
                parser.getStringCharacters(), parser.getStringOffset(), parser.getStringLength());
        default -> throw problem("column '" + name + "' is an object or a list");
      }
    }

    @Override
    public DataFormatException problem(String text) {
      return DataFormatException.atLine(spec.file(), line.number(), text);
    }
  }
}
