package io.mutune.trainer.table;

/**
 * One column.
 *
 * @param name as the file writes it where it names its columns; not empty, no blanks around it
 */
public record Column(String name, ColumnType type) {
  public Column {
    if (name.isEmpty() || !name.equals(name.strip())) {
      throw new IllegalArgumentException(
          "a column has a name, without blanks around it; was '" + name + "'");
    }
  }
}
