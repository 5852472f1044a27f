package io.mutune.trainer.data;

/**
 * How a CSV file is laid out.
 *
 * @param header whether the first line names the columns
 */
public record CsvLayout(char delimiter, boolean header, LabelColumn label) {
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

  /** Commas, no header, the label last. */
  public static CsvLayout standard() {
    return new CsvLayout(',', false, new LabelColumn.Last());
  }
}
