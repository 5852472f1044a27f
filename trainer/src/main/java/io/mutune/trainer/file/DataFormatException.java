package io.mutune.trainer.file;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/**
 * A file that is not what its description says. The message tells the place and the rule that is
 * broken, never a value, label or text of the file, since the file may be private; for the same
 * reason it has no cause: a parser's own exception quotes what it could not parse.
 */
public final class DataFormatException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final transient Path file;

  private DataFormatException(Path file, String message) {
    super(message);
    this.file = file;
  }

  /**
   * A problem of one line.
   *
   * @param line from 1
   */
  public static DataFormatException atLine(Path file, long line, String problem) {
    return new DataFormatException(file, file + ":" + line + ": " + problem);
  }

  /** For a binary file, whose {@code problem} names the record, and for a file as a whole. */
  public static DataFormatException in(Path file, String problem) {
    return new DataFormatException(file, file + ": " + problem);
  }

  public Path file() {
    return file;
  }
}
