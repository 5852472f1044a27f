package io.mutune.orchestrator.display;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A table for a terminal: headed columns, numbers to the right, words to the left. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... head) {
    rows.add(List.of(head));
  }

  /** Adds a row with a cell for every column. */
  public TextTable row(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException("a row has a cell for every column");
    }
    rows.add(List.of(cells));
    return this;
  }

  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    boolean[] numeric = new boolean[columns];
    for (int c = 0; c < columns; c++) {
      numeric[c] = rows.size() > 1;
      for (int r = 0; r < rows.size(); r++) {
        String cell = rows.get(r).get(c);
        widths[c] = Math.max(widths[c], cell.codePointCount(0, cell.length()));
        numeric[c] &= r == 0 || cell.matches("[-+]?[0-9.,eE+%-]*");
      }
    }
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        String cell = rows.get(r).get(c);
        String pad = " ".repeat(widths[c] - cell.codePointCount(0, cell.length()));
        line.append(c == 0 ? "" : "  ").append(numeric[c] ? pad + cell : cell + pad);
      }
      text.append(line.toString().stripTrailing()).append('\n');
      if (r == 0) {
        int width = 2 * (columns - 1) + IntStream.of(widths).sum();
        text.append("-".repeat(width)).append('\n');
      }
    }
    return text.toString();
  }
}
