package io.mutune.trainer.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Whether the bytes of a text can be UTF-8. */
public final class Utf8Check {
  private static final int BUFFER = 1 << 16;

  private Utf8Check() {}

  /** The line, from 1, of the first byte that cannot be; empty if all of them can. */
  public static OptionalLong firstFault(Path file) throws IOException {
    byte[] bytes = new byte[BUFFER];
    long line = 1;
    int open = 0; // how many bytes the character that was begun still has
    try (InputStream in = InputFile.open(file)) {
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        for (int i = 0; i < read; i++) {
          int b = bytes[i];
          boolean follows = (b & 0xC0) == 0x80;
          if (follows != open > 0 || (!follows && length(b) < 0)) {
            return OptionalLong.of(line);
          }
          open = follows ? open - 1 : length(b);
          line += b == '\n' ? 1 : 0;
        }
      }
    }
    return open > 0 ? OptionalLong.of(line) : OptionalLong.empty();
  }

  /** How many bytes follow this first one of a character; negative for one that can be none. */
  private static int length(int first) {
    int unsigned = first & 0xFF;
    if (unsigned < 0x80) {
      return 0;
    }
    return unsigned < 0xC2 || unsigned > 0xF4 ? -1 : unsigned < 0xE0 ? 1 : unsigned < 0xF0 ? 2 : 3;
  }
}
