package io.mutune.trainer.table;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a list has a text. Two that are both numbers are equal where their numbers are, so that
 * {@code 1.0} is {@code +1}.
 */
final class TextIndex {
  static final int NONE = -1;

  private final Map<String, Integer> texts = new HashMap<>();
  private final Map<Double, Integer> numbers = new HashMap<>();
  private int longest;

  /**
   * @throws IllegalArgumentException if a text is empty or there twice
   */
  TextIndex(List<String> values) {
    for (int i = 0; i < values.size(); i++) {
      add(values.get(i), i);
    }
  }

  /**
   * Adds one more.
   *
   * @throws IllegalArgumentException if it is empty or there already
   */
  void add(String value, int index) {
    double number = DecimalText.parseDouble(value);
    boolean isNew =
        texts.putIfAbsent(value, index) == null
            && (Double.isNaN(number) || numbers.putIfAbsent(key(number), index) == null);
    if (value.isEmpty() || !isNew) {
      throw new IllegalArgumentException(
          "values must be distinct and not empty; '" + value + "' is not");
    }
    longest = Math.max(longest, value.length());
  }

  /** Its position, or {@link #NONE}. */
  int of(Cell cell) {
    if (cell.isText()) {
      // Of millions most are numbers, and longer than a text that means a missing value.
      Integer index = cell.length() > longest ? null : texts.get(cell.text());
      if (index != null) {
        return index;
      }
    } else if (Double.isNaN(cell.number())) {
      return texts.getOrDefault(cell.text(), NONE);
    }
    return numbers.isEmpty() ? NONE : numbers.getOrDefault(key(cell.number()), NONE);
  }

  int of(String text) {
    Cell cell = new Cell();
    cell.setText(text);
    return of(cell);
  }

  /** One zero. */
  private static double key(double number) {
    return number + 0.0;
  }

  /** The texts such that no other list is written in the same way. */
  static String exact(Collection<String> values) {
    return values.stream().map(text -> text.length() + ":" + text).toList().toString();
  }

  /** The texts less the blanks around them. */
  static List<String> stripped(Collection<String> values) {
    return values.stream().map(String::strip).toList();
  }
}
