package io.mutune.trainer.table;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.NumberOutput;

/**
 * What a file has in one column of one row: nothing, a text, a number or a day. Made once for each
 * column and filled anew for each row. Whatever the format, equal content gives equal answers: a
 * number is one whether the file writes its digits or its bits.
 */
public final class Cell {
  private static final double WHOLE = 1L << 53;
  private static final float WHOLE_OF_A_FLOAT = 1 << 24;

  private enum Kind {
    MISSING,
    TEXT,
    NUMBER,
    WHOLE,
    DAY
  }

  private static final char[] NONE = {};

  /** What readers put in place of bytes that are no UTF-8, whatever these are. */
  private static final char REPLACEMENT = '\uFFFD';

  /** Of a text beyond which no more is kept than until the next one. */
  private static final int MOST_KEPT = 1 << 12;

  private Kind kind = Kind.MISSING;
  private char[] chars = NONE;
  private int from;
  private int to;
  private @Nullable String text;
  private char[] own = NONE;
  private double number;
  private long whole;
  private boolean isRounded;

  /** Nothing: a null of the format. */
  public void setMissing() {
    kind = Kind.MISSING;
    if (own.length > MOST_KEPT) {
      own = NONE;
      chars = NONE;
      text = null;
    }
  }

  /** A text, be it the digits of a number; blanks around it do not count. */
  public void setText(String value) {
    setText(value.toCharArray(), 0, value.length());
  }

  /** As {@link String#strip} has it; most characters need one look. */
  private static boolean isBlank(char c) {
    return (c <= ' ' || c >= 0x80) && Character.isWhitespace(c);
  }

  /** The same of characters that do not stay as they are. */
  public void copyText(char[] characters, int start, int length) {
    if (own.length < length || own.length > MOST_KEPT) {
      own = new char[length];
    }
    System.arraycopy(characters, start, own, 0, length);
    setText(own, 0, length);
  }

  /** The same of characters that stay as they are until the row is done. */
  public void setText(char[] characters, int start, int end) {
    // A reference that is written again costs a collector's barrier, millions of times.
    if (kind != Kind.TEXT) {
      kind = Kind.TEXT;
    }
    if (chars != characters) {
      chars = characters;
    }
    from = start;
    to = end;
    text = null;
    while (from < to && isBlank(chars[from])) {
      from++;
    }
    while (from < to && isBlank(chars[to - 1])) {
      to--;
    }
  }

  /** A number that the format keeps in binary. */
  public void setNumber(double value) {
    kind = Kind.NUMBER;
    number = value;
    isRounded = Math.abs(value) >= WHOLE;
  }

  /** The same of 32 bits: the number that a text format has for it. */
  public void setFloat(float value) {
    setNumber(DecimalText.ofFloat(value));
    isRounded = Math.abs(value) >= WHOLE_OF_A_FLOAT;
  }

  /** The same of a whole number. */
  public void setWhole(long value) {
    kind = Kind.WHOLE;
    whole = value;
  }

  /** A time that the format keeps as parts of days after 1970-01-01; its day in UTC counts. */
  public void setTime(long value, long partsOfADay) {
    kind = Kind.DAY;
    whole = Math.floorDiv(value, partsOfADay);
    isRounded = whole * partsOfADay != value;
  }

  /** Whether there is nothing, or a text without characters. */
  public boolean isMissing() {
    return kind == Kind.MISSING || (kind == Kind.TEXT && from == to);
  }

  /** Whether it is a binary number that is none, or infinite. */
  boolean isNotFinite() {
    return kind == Kind.NUMBER && !Double.isFinite(number);
  }

  /**
   * Whether other content of the format is the same here: a binary number so large that its
   * neighbours among whole numbers have no bits of their own, or a time within a day.
   */
  boolean isRounded() {
    return (kind == Kind.NUMBER || kind == Kind.DAY) && isRounded;
  }

  /** Whether it is a text with bytes that are no UTF-8, which others would be the same as. */
  boolean isReplaced() {
    if (kind == Kind.TEXT) {
      for (int i = from; i < to; i++) {
        if (chars[i] == REPLACEMENT) {
          return true;
        }
      }
    }
    return false;
  }

  boolean isText() {
    return kind == Kind.TEXT;
  }

  /** Of a text, without the blanks around it. */
  int length() {
    return to - from;
  }

  /** The number to the nearest double; NaN where it is none, or not finite. */
  public double number() {
    return switch (kind) {
      case TEXT -> DecimalText.parseDouble(chars, from, to);
      case NUMBER -> Double.isFinite(number) ? number : Double.NaN;
      case WHOLE -> whole;
      case DAY, MISSING -> Double.NaN;
    };
  }

  /** In days after 1970-01-01, where the format says that it is a day. */
  public @Nullable Long day() {
    return kind == Kind.DAY ? whole : null;
  }

  /** As a text format would write it; empty where it is missing. */
  public String text() {
    return switch (kind) {
      case TEXT -> characters();
      case NUMBER -> written(number);
      case WHOLE -> Long.toString(whole);
      case DAY -> LocalDate.ofEpochDay(whole).toString();
      case MISSING -> "";
    };
  }

  private String characters() {
    String made = text;
    if (made == null) {
      made = new String(chars, from, to - from);
      text = made;
    }
    return made;
  }

  /**
   * {@code 7} for 7.0; otherwise the shortest digits that give the double, as {@link
   * Double#toString} writes them from Java 19 on: a hash or a digest of them is the same on every
   * Java.
   */
  public static String written(double number) {
    return number == Math.rint(number) && Math.abs(number) < WHOLE
        ? Long.toString((long) number)
        : NumberOutput.toString(number, true);
  }
}
