package io.mutune.trainer.data;

import java.util.List;

/** Which column of a CSV file holds the label. */
public sealed interface LabelColumn {
  /** Its 0-based position in that many columns, or −1 where the file has no such column. */
  int position(List<String> header, int columns);

  record First() implements LabelColumn {
    @Override
    public int position(List<String> header, int columns) {
      return 0;
    }
  }

  record Last() implements LabelColumn {
    @Override
    public int position(List<String> header, int columns) {
      return columns - 1;
    }
  }

  record Named(String name) implements LabelColumn {
    @Override
    public int position(List<String> header, int columns) {
      return header.indexOf(name);
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
