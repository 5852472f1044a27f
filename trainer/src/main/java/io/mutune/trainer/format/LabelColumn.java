package io.mutune.trainer.format;

import java.io.Serializable;
import java.util.List;

/** Which column of a CSV file holds the label. */
public sealed interface LabelColumn extends Serializable {
  /**
   * Its 0-based position in that many columns, or −1 where the file has no such column, or several.
   *
   * @param header the fields of the first record, whether that is a header or not
   */
  int position(List<String> header, int columns);

  /** Whether a file of any width must have it. */
  default boolean required() {
    return true;
  }

  /** Whether a file of that many columns must have it. */
  default boolean isExpected(int columns) {
    return required();
  }

  /** As a sweep file writes it; {@link #of} reads it back. */
  String text();

  record First() implements LabelColumn {
    @Override
    public int position(List<String> header, int columns) {
      return 0;
    }

    @Override
    public String text() {
      return "first";
    }
  }

  record Last() implements LabelColumn {
    @Override
    public int position(List<String> header, int columns) {
      return columns - 1;
    }

    @Override
    public String text() {
      return "last";
    }
  }

  record Named(String name) implements LabelColumn {
    @Override
    public int position(List<String> header, int columns) {
      int position = header.indexOf(name);
      return header.lastIndexOf(name) == position ? position : -1;
    }

    @Override
    public String text() {
      return name;
    }
  }

  /**
   * By position.
   *
   * @param index from 0
   */
  record Index(int index) implements LabelColumn {
    public Index {
      if (index < 0) {
        throw new IllegalArgumentException("a column's index starts at 0; was " + index);
      }
    }

    @Override
    public int position(List<String> header, int columns) {
      return index < columns ? index : -1;
    }

    @Override
    public String text() {
      return Integer.toString(index);
    }
  }

  /** No column: the rows have no labels. */
  record None() implements LabelColumn {
    @Override
    public int position(List<String> header, int columns) {
      return -1;
    }

    @Override
    public boolean required() {
      return false;
    }

    @Override
    public String text() {
      return "none";
    }
  }

  /**
   * That column in a file that has it, which shows in the name where the column has one, and in the
   * width otherwise: one column more than the features. Such a file may hold labelled rows or
   * unlabelled ones.
   *
   * @param column one that is required
   * @param features how many columns there are beside the label
   */
  record IfPresent(LabelColumn column, int features) implements LabelColumn {
    public IfPresent {
      if (!column.required()) {
        throw new IllegalArgumentException("which column it is has to be told");
      }
    }

    @Override
    public int position(List<String> header, int columns) {
      boolean present = column instanceof Named || isExpected(columns);
      return present ? column.position(header, columns) : -1;
    }

    @Override
    public boolean required() {
      return false;
    }

    @Override
    public boolean isExpected(int columns) {
      return columns == features + 1;
    }

    @Override
    public String text() {
      return column.text();
    }
  }

  /** {@code first}, {@code last}, a 0-based index or a name, as a sweep file writes it. */
  static LabelColumn of(String text) {
    return switch (text) {
      case "first" -> new First();
      case "last" -> new Last();
      default -> text.matches("\\d{1,9}") ? new Index(Integer.parseInt(text)) : new Named(text);
    };
  }
}
