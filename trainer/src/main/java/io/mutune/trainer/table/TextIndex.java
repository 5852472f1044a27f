package io.mutune.trainer.table;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a list has a text. Two that are both numbers are equal where their numbers are, so that
 * {@code 1.0} is {@code +1}. Texts are looked up where they lie, since millions are.
 */
final class TextIndex {
  static final int NONE = -1;

  private static final int FIRST_SLOTS = 16;
  private static final int MANY = 4;

  /**
   * By hash, each at the first free place from there on; at most a quarter of the places is taken.
   */
  private char[][] texts = new char[FIRST_SLOTS][];

  private int[] indices = new int[FIRST_SLOTS];
  private final Map<Double, Integer> numbers = new HashMap<>();
  private int count;
  private int longest;
  private boolean hasNumbers;
  private boolean quick = true;

  /** How many places a text may be away from its own. */
  private int farthest;

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
    char[] text = value.toCharArray();
    double number = DecimalText.parseDouble(text, 0, text.length);
    boolean isNew =
        Double.isNaN(number)
            ? of(text, 0, text.length) == NONE
            : numbers.putIfAbsent(key(number), index) == null;
    if (text.length == 0 || !isNew) {
      throw new IllegalArgumentException(
          "values must be distinct and not empty; '" + value + "' is not");
    }
    hasNumbers = !numbers.isEmpty();
    longest = Math.max(longest, text.length);
    count++;
    if (4 * count > texts.length) {
      rebuild(2 * texts.length);
    }
    put(text, index);
    if (quick && farthest > MANY) {
      quick = false;
      rebuild(texts.length);
    }
  }

  private void rebuild(int slots) {
    char[][] before = texts;
    int[] indicesBefore = indices;
    texts = new char[slots][];
    indices = new int[slots];
    for (int i = 0; i < before.length; i++) {
      if (before[i] != null) {
        put(before[i], indicesBefore[i]);
      }
    }
  }

  private void put(char[] text, int index) {
    int slot = slot(text, 0, text.length);
    farthest = Math.max(farthest, (slot - hash(text, 0, text.length)) & (texts.length - 1));
    texts[slot] = text;
    indices[slot] = index;
  }

  /** Where the text is, or else the free place where it would be. */
  private int slot(char[] chars, int from, int to) {
    int mask = texts.length - 1;
    int slot = hash(chars, from, to) & mask;
    while (texts[slot] != null && !isEqual(texts[slot], chars, from, to)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Of three characters as long as these tell the texts apart, then of all. */
  private int hash(char[] chars, int from, int to) {
    int length = to - from;
    int hash = length;
    if (quick && length > 0) {
      hash = 31 * hash + chars[from];
      hash = 31 * hash + chars[from + (length >> 1)];
      hash = 31 * hash + chars[to - 1];
    } else {
      for (int i = from; i < to; i++) {
        hash = 31 * hash + chars[i];
      }
    }
    hash *= 0x9e3779b9;
    return hash ^ (hash >>> 16);
  }

  /** Most are a few characters, for which a call of the library takes longer than the look. */
  private static boolean isEqual(char[] text, char[] chars, int from, int to) {
    if (text.length != to - from) {
      return false;
    }
    for (int i = 0; i < text.length; i++) {
      if (text[i] != chars[from + i]) {
        return false;
      }
    }
    return true;
  }

  private int of(char[] chars, int from, int to) {
    int slot = to - from > longest ? NONE : slot(chars, from, to);
    return slot == NONE || texts[slot] == null ? NONE : indices[slot];
  }

  /** Its position, or {@link #NONE}. */
  int of(Cell cell) {
    int index = NONE;
    if (cell.isText()) {
      index = of(cell.chars(), cell.from(), cell.to());
    } else if (Double.isNaN(cell.number())) {
      index = of(cell.text());
    }
    if (index != NONE || !hasNumbers) {
      return index;
    }
    double number = cell.number();
    return Double.isNaN(number) ? NONE : numbers.getOrDefault(key(number), NONE);
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
