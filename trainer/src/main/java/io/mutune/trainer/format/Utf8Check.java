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
    int first = 0; // the byte before, where that began a character
    try (InputStream in = InputFile.open(file)) {
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        for (int i = 0; i < read; i++) {
          int b = bytes[i];
          boolean follows = (b & 0xC0) == 0x80;
          if (follows != open > 0 || (follows ? !mayFollow(first, b) : length(b) < 0)) {
            return OptionalLong.of(line);
          }
          open = follows ? open - 1 : length(b);
          first = follows ? 0 : b & 0xFF;
          line += b == '\n' ? 1 : 0;
        }
      }
    }
    return open > 0 ? OptionalLong.of(line) : OptionalLong.empty();
  }

  /** Whether a second byte makes no character that has a shorter form, half of one, or none. */
  private static boolean mayFollow(int first, int second) {
    int unsigned = second & 0xFF;
    return switch (first) {
      case 0xE0 -> unsigned >= 0xA0;
      case 0xED -> unsigned < 0xA0;
      case 0xF0 -> unsigned >= 0x90;
      case 0xF4 -> unsigned < 0x90;
      default -> true;
    };
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
