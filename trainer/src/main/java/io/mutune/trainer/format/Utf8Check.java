package io.mutune.trainer.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Whether the bytes of a text can be UTF-8. */
public final class Utf8Check {
  private static final int BUFFER = 1 << 16;

  private Utf8Check() {}

  /** The line, from 1, of the first byte that cannot be; empty if all of them can. */
  public static OptionalLong firstFault(Path file) throws IOException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer bytes = ByteBuffer.allocate(BUFFER);
    CharBuffer characters = CharBuffer.allocate(BUFFER);
    long line = 1;
    boolean ended = false;
    try (InputStream in = InputFile.open(file)) {
      while (!ended) {
        int read = in.read(bytes.array(), bytes.position(), bytes.remaining());
        ended = read < 0;
        bytes.position(bytes.position() + Math.max(0, read)).flip();
        boolean isFaulty = decoder.decode(bytes, characters.clear(), ended).isError();
        line += characters.flip().chars().filter(c -> c == '\n').count();
        if (isFaulty) {
          return OptionalLong.of(line);
        }
        bytes.compact(); // the beginning of a character whose end was not read yet
      }
    }
    return OptionalLong.empty();
  }
}
