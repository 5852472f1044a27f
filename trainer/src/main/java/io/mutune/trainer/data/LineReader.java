package io.mutune.trainer.data;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a UTF-8 text, ended by LF, CR or both; an end within quotes is part of its line
 * where these are looked at, and what quotes that are left open take in is one line. Of a line that
 * is too long the beginning is kept and the rest passed over, so that no line decides how much
 * memory the others find.
 */
final class LineReader implements Closeable {
  /** In characters: some million numbers. */
  static final int MOST = 1 << 25;

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Reader in;
  private final int most;
  private final @Nullable QuoteState quotes;
  private final StringBuilder line = new StringBuilder();
  private long number;
  private long breaks;
  private boolean tooLong;
  private boolean afterReturn;

  private LineReader(Reader in, int most, @Nullable QuoteState quotes) {
    this.in = in;
    this.most = most;
    this.quotes = quotes;
  }

  static LineReader open(Path file) throws IOException {
    return open(file, null);
  }

  /** Rows of CSV, whose fields in quotes may hold line breaks. */
  static LineReader ofRows(Path file, char delimiter) throws IOException {
    return open(file, new QuoteState(delimiter));
  }

  private static LineReader open(Path file, @Nullable QuoteState quotes) throws IOException {
    return new LineReader(
        new BufferedReader(
            new InputStreamReader(InputFile.open(file), StandardCharsets.UTF_8), 1 << 16),
        MOST,
        quotes);
  }

  /** Of a text, with a limit of its own. */
  static LineReader of(Reader text, int most) {
    return new LineReader(text, most, null);
  }

  /** The same of rows of CSV. */
  static LineReader ofRows(Reader text, int most, char delimiter) {
    return new LineReader(text, most, new QuoteState(delimiter));
  }

  /** The next line without its end; null after the last. */
  @Nullable String next() throws IOException {
    line.setLength(0);
    tooLong = false;
    int c = in.read();
    if (c == '\n' && afterReturn) {
      c = in.read();
    }
    afterReturn = false;
    if (c == BYTE_ORDER_MARK && number == 0) {
      c = in.read();
    }
    if (c < 0) {
      return null;
    }
    number += 1 + breaks;
    breaks = 0;
    if (quotes != null) {
      quotes.begin();
    }
    int before = 0;
    for (; c >= 0 && !isEnd(c); c = in.read()) {
      if (c == '\r' || (c == '\n' && before != '\r')) {
        breaks++;
      }
      before = c;
      if (quotes != null) {
        quotes.take((char) c);
      }
      if (line.length() < most) {
        line.append((char) c);
      } else {
        tooLong = true;
      }
    }
    afterReturn = c == '\r';
    return line.toString();
  }

  private boolean isEnd(int c) {
    return (c == '\n' || c == '\r') && (quotes == null || !quotes.isOpen());
  }

  /** Of the line that {@link #next} gave, from 1; its first where it holds line breaks. */
  long number() {
    return number;
  }

  /** Whether {@link #next} gave the beginning of a line only. */
  boolean tooLong() {
    return tooLong;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
