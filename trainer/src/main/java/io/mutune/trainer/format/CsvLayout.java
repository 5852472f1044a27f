package io.mutune.trainer.format;

import java.io.Serializable;

/**
 * How a CSV file is laid out.
 *
 * @param header whether the first line names the columns
 * @param label of no meaning where a table says which column is the label
 * @param lineBreaks whether fields in quotes may hold line breaks; else a row is a line
 * @param skipLines how many lines at the head of the file, before a header, are passed over
 */
public record CsvLayout(
    char delimiter, boolean header, LabelColumn label, boolean lineBreaks, int skipLines)
    implements Serializable {
  /** What a delimiter has to be, for messages. */
  public static final String DELIMITER = "must be one character, no quote and no #";

  public CsvLayout {
    if (!isDelimiter(String.valueOf(delimiter))) {
      throw new IllegalArgumentException("a delimiter cannot be a quote, a line break or #");
    }
    if (skipLines < 0) {
      throw new IllegalArgumentException("skipLines must be 0 or more; was " + skipLines);
    }
    LabelColumn column =
        label instanceof LabelColumn.IfPresent optional ? optional.column() : label;
    if (column instanceof LabelColumn.Named && !header) {
      throw new IllegalArgumentException("a label column with a name needs a file with a header");
    }
  }

  /** A row a line, and no line at the head passed over. */
  public CsvLayout(char delimiter, boolean header, LabelColumn label) {
    this(delimiter, header, label, false, 0);
  }

  public static boolean isDelimiter(String text) {
    return text.length() == 1 && "\"\r\n#".indexOf(text.charAt(0)) < 0;
  }

  /** Commas, no header, the label last. */
  public static CsvLayout standard() {
    return new CsvLayout(',', false, new LabelColumn.Last());
  }

  /** Of a file whose columns a table describes. */
  public static CsvLayout ofTable(
      char delimiter, boolean header, boolean lineBreaks, int skipLines) {
    return new CsvLayout(delimiter, header, new LabelColumn.None(), lineBreaks, skipLines);
  }

  /**
   * Whether a file that is laid out so has the same rows in the same places by the other layout.
   */
  public boolean hasRowsOf(CsvLayout other) {
    return delimiter == other.delimiter
        && header == other.header
        && lineBreaks == other.lineBreaks
        && skipLines == other.skipLines;
  }

  /** Part of the names of kept features, which are older than line breaks in fields. */
  @Override
  public String toString() {
    return "CsvLayout[delimiter=%s, header=%s, label=%s%s%s]"
        .formatted(
            delimiter,
            header,
            label,
            lineBreaks ? ", lineBreaks=true" : "",
            skipLines > 0 ? ", skipLines=" + skipLines : "");
  }
}
