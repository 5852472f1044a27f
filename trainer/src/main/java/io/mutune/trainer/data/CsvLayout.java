package io.mutune.trainer.data;

/**
 * How a CSV file is laid out.
 *
 * @param header whether the first line names the columns
 * @param lineBreaks whether fields in quotes may hold line breaks; else a row is a line
 */
public record CsvLayout(char delimiter, boolean header, LabelColumn label, boolean lineBreaks) {
  public CsvLayout {
    if ("\"\r\n#".indexOf(delimiter) >= 0) {
      throw new IllegalArgumentException("a delimiter cannot be a quote, a line break or #");
    }
    LabelColumn column =
        label instanceof LabelColumn.IfPresent optional ? optional.column() : label;
    if (column instanceof LabelColumn.Named && !header) {
      throw new IllegalArgumentException("a label column with a name needs a file with a header");
    }
  }

  /** A row a line. */
  public CsvLayout(char delimiter, boolean header, LabelColumn label) {
    this(delimiter, header, label, false);
  }

  /** Commas, no header, the label last. */
  public static CsvLayout standard() {
    return new CsvLayout(',', false, new LabelColumn.Last());
  }

  /** Part of the names of kept features, which are older than line breaks in fields. */
  @Override
  public String toString() {
    return "CsvLayout[delimiter=%s, header=%s, label=%s%s]"
        .formatted(delimiter, header, label, lineBreaks ? ", lineBreaks=true" : "");
  }
}
