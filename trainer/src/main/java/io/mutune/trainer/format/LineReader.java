package io.mutune.trainer.format;

import io.mutune.trainer.table.Table;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a UTF-8 text, ended by LF, CR or both; an end within quotes is part of its line
 * where these are looked at, and what quotes that are left open take in is one line. Of a line that
 * is too long the beginning is kept and the rest passed over, so that no line decides how much
 * memory the others find.
 */
public final class LineReader implements Closeable {
  /** In characters: some million numbers; where it is not stated how many columns there are. */
  static final int MOST = 1 << 25;

  /** Of a line of stated columns; enough for a long text. */
  private static final int MOST_OF_ANY = 1 << 20;

  private static final int MOST_OF_A_COLUMN = 64;

  /** That a line takes while it is read: in a buffer that was doubled, and in copies. */
  private static final int BYTES_OF_A_CHARACTER = 16;

  private static final int BUFFER = 1 << 16;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Reader in;
  private final int most;
  private final @Nullable QuoteState quotes;
  private char[] chars = new char[BUFFER];

  /** Where the characters that were read and not yet given begin, and where they end. */
  private int at;

  private int limit;
  private int from;
  private int to;
  private long number;
  private long breaks;
  private boolean tooLong;
  private boolean afterReturn;

  /**
   * @param most characters of a line
   * @param quotes null where they are not looked at
   */
  LineReader(Reader in, int most, @Nullable QuoteState quotes) {
    this.in = in;
    this.most = most;
    this.quotes = quotes;
  }

  static LineReader open(Path file) throws IOException {
    return of(InputFile.open(file), MOST, null);
  }

  /** Of a file whose first line may be a row. */
  static LineReader open(RowSpec spec) throws IOException {
    return of(InputFile.openText(spec.file()), most(spec), null);
  }

  /** The same of CSV, whose fields in quotes may hold line breaks if the layout says so. */
  static LineReader ofRows(RowSpec spec) throws IOException {
    CsvLayout csv = spec.csv();
    QuoteState quotes = csv.lineBreaks() ? new QuoteState(csv.delimiter()) : null;
    return of(InputFile.openText(spec.file()), most(spec), quotes);
  }

  private static LineReader of(InputStream text, int most, @Nullable QuoteState quotes) {
    return new LineReader(new InputStreamReader(text, StandardCharsets.UTF_8), most, quotes);
  }

  /** How many characters a line may have. */
  private static int most(RowSpec spec) {
    if (spec.format() == DataFormat.IMAGES) {
      return MOST_OF_ANY; // of a list: a name and a label
    }
    Table table = spec.table();
    Integer columns = table == null ? spec.features() : Integer.valueOf(table.columns().size());
    return columns == null
        ? MOST
        : (int) Math.min(MOST, MOST_OF_ANY + (long) MOST_OF_A_COLUMN * columns);
  }

  /** Whether a file of that format has lines. */
  static boolean reads(DataFormat format, Path file) {
    return switch (format) {
      case CSV, TSV, JSONL, LIBSVM -> true;
      case IMAGES -> ImageSource.Place.of(file) == ImageSource.Place.LIST;
      case IDX, NPY, NPZ, PARQUET -> false;
    };
  }

  /**
   * How many bytes the longest line takes while it is read, and the texts or files before it that
   * wait to be encoded or decoded; 0 of a form without lines.
   */
  public static long bytes(RowSpec spec) {
    boolean wait = spec.images() != null || !spec.encoders().isEmpty();
    long waiting = wait ? ParallelRows.MOST_BYTES : 0;
    return switch (spec.format()) {
      case CSV, TSV, IMAGES, JSONL, LIBSVM -> waiting + (long) BYTES_OF_A_CHARACTER * most(spec);
      case IDX, NPY, NPZ, PARQUET -> waiting;
    };
  }

  /**
   * Goes to the next line, which {@link #chars} has from {@link #from} to {@link #to}, without its
   * end.
   *
   * @return false after the last
   */
  boolean advance() throws IOException {
    tooLong = false;
    from = at;
    if (afterReturn && hasMore() && chars[at] == '\n') {
      at++;
    }
    afterReturn = false;
    from = at;
    if (hasMore() && chars[at] == BYTE_ORDER_MARK) {
      at++; // of any line, since the first may be a row
    }
    from = at;
    if (!hasMore()) {
      to = from;
      return false;
    }
    number += 1 + breaks;
    breaks = 0;
    boolean ended = quotes == null ? findEnd() : findEnd(quotes);
    tooLong = at - from > most;
    to = Math.min(at, from + most);
    if (ended) {
      afterReturn = chars[at] == '\r';
      at++;
    }
    return true;
  }

  /** Passes over lines, or all where there are fewer. */
  void skip(long lines) throws IOException {
    for (long i = 0; i < lines && advance(); i++) {}
  }

  /** Goes to the next line that is not empty; false after the last. */
  boolean advanceToText() throws IOException {
    while (advance()) {
      if (!isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the line has no characters, not even blanks. */
  boolean isEmpty() {
    return from == to;
  }

  /** Goes to the end of the line, or of the text. */
  private boolean findEnd() throws IOException {
    while (hasMore()) {
      for (int i = at; i < limit; i++) {
        char c = chars[i];
        if (c <= '\r' && (c == '\n' || c == '\r')) {
          at = i;
          return true;
        }
      }
      at = limit;
    }
    return false;
  }

  private boolean findEnd(QuoteState quotes) throws IOException {
    quotes.begin();
    for (char before = 0; hasMore(); at++) {
      char c = chars[at];
      if (c == '\n' || c == '\r') {
        if (!quotes.isOpen()) {
          return true;
        }
        breaks += c == '\r' || before != '\r' ? 1 : 0;
      }
      before = c;
      quotes.take(c);
    }
    return false;
  }

  /** Reads on where every character was looked at; the line's own, from {@code from}, are kept. */
  private boolean hasMore() throws IOException {
    if (at < limit) {
      return true;
    }
    if (at - from > most) {
      at = from + most + 1; // one more tells that the line is too long
    }
    if (from > 0) {
      System.arraycopy(chars, from, chars, 0, at - from);
      at -= from;
      from = 0;
    }
    limit = at;
    if (limit == chars.length) {
      chars = Arrays.copyOf(chars, 2 * chars.length);
    }
    int read = in.read(chars, limit, chars.length - limit);
    limit += Math.max(0, read);
    return read > 0;
  }

  /** The line without its end. */
  String text() {
    return new String(chars, from, to - from);
  }

  /** The array changes with the next line. */
  char[] chars() {
    return chars;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** Of the line, from 1; its first where it holds line breaks. */
  long number() {
    return number;
  }

  /** Whether the line is only the beginning of one. */
  boolean tooLong() {
    return tooLong;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
