package io.mutune.trainer.format;

/** Follows the quotes of one row of CSV: a field in quotes begins with one; two stand for one. */
final class QuoteState {
  private enum At {
    FIELD_START,
    PLAIN,
    QUOTED,

    /** A quote within quotes: their end, or half of one that is meant. */
    QUOTE
  }

  private final char delimiter;
  private At at = At.FIELD_START;

  QuoteState(char delimiter) {
    this.delimiter = delimiter;
  }

  void begin() {
    at = At.FIELD_START;
  }

  void take(char c) {
    at =
        switch (at) {
          case QUOTED -> c == '"' ? At.QUOTE : At.QUOTED;
          case QUOTE -> c == '"' ? At.QUOTED : outside(c);
          case FIELD_START -> c == '"' ? At.QUOTED : outside(c);
          case PLAIN -> outside(c);
        };
  }

  private At outside(char c) {
    return c == delimiter ? At.FIELD_START : At.PLAIN;
  }

  /** Whether a line break would be part of a field. */
  boolean isOpen() {
    return at == At.QUOTED;
  }
}
