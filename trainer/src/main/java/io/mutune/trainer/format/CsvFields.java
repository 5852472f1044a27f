package io.mutune.trainer.format;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The fields of a line of CSV (RFC 4180): a field that begins with a quote ends with the next one,
 * two of them stand for one, and any other quote is a character like all. Made once, for one line
 * after the other; the fields lie where the line does, or in a copy of it where it has quotes.
 */
final class CsvFields {
  private static final int FIRST_FIELDS = 64;

  private final char delimiter;
  private final int most;
  private int[] starts = new int[FIRST_FIELDS];
  private int[] ends = new int[FIRST_FIELDS];
  private char[] chars = {};
  private char[] copy = {};
  private int count;

  /**
   * @param most how many fields a line may have
   */
  CsvFields(char delimiter, int most) {
    this.delimiter = delimiter;
    this.most = most;
  }

  /**
   * Splits a line.
   *
   * @return false if it cannot be: an open quote, text after a closing one, or too many fields
   */
  boolean split(char[] line, int from, int to) {
    chars = line;
    count = 0;
    int start = from;
    for (int i = from; i < to; i++) {
      char c = line[i];
      if (c == delimiter) {
        if (!add(start, i)) {
          return false;
        }
        start = i + 1;
      } else if (c == '"' && i == start) {
        return splitQuoted(line, from, to);
      }
    }
    return add(start, to);
  }

  private boolean splitQuoted(char[] line, int from, int to) {
    int length = to - from;
    if (copy.length < length) {
      copy = new char[length];
    }
    System.arraycopy(line, from, copy, 0, length);
    chars = copy;
    count = 0;
    for (int start = 0; start <= length; ) {
      int end;
      if (start < length && copy[start] == '"') {
        int written = start + 1;
        int i = start + 1;
        for (; i < length && (copy[i] != '"' || isPair(i, length)); i++) {
          i += copy[i] == '"' ? 1 : 0;
          copy[written++] = copy[i];
        }
        end = i + 1;
        boolean closed = i < length && (end == length || copy[end] == delimiter);
        if (!closed || !add(start + 1, written)) {
          return false;
        }
      } else {
        end = start;
        while (end < length && copy[end] != delimiter) {
          end++;
        }
        if (!add(start, end)) {
          return false;
        }
      }
      start = end + 1;
    }
    return true;
  }

  private boolean isPair(int quote, int length) {
    return quote + 1 < length && copy[quote + 1] == '"';
  }

  private boolean add(int start, int end) {
    if (count == most) {
      return false;
    }
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    starts[count] = start;
    ends[count] = end;
    count++;
    return true;
  }

  int count() {
    return count;
  }

  /** What {@link #start} and {@link #end} are places of; of no use after the next line. */
  char[] chars() {
    return chars;
  }

  int start(int field) {
    return starts[field];
  }

  int end(int field) {
    return ends[field];
  }

  List<String> texts() {
    return IntStream.range(0, count).mapToObj(this::text).toList();
  }

  /** Without the blanks around it. */
  String text(int field) {
    return new String(chars, starts[field], ends[field] - starts[field]).strip();
  }
}
