package io.mutune.orchestrator.cli.cost;

import io.mutune.orchestrator.cli.command.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The text of a file that the user named, or of standard input, which {@code -} is. */
final class InputText {
  private static final String STANDARD_INPUT = "-";

  private InputText() {}

  static String name(String file) {
    return file.equals(STANDARD_INPUT) ? "standard input" : file;
  }

  static String read(String file) throws IOException {
    boolean named = !file.equals(STANDARD_INPUT);
    if (named && Files.isDirectory(Path.of(file))) {
      throw new UsageException(file + ": is a folder, not a file");
    }
    byte[] bytes = named ? Files.readAllBytes(Path.of(file)) : System.in.readAllBytes();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UsageException(name(file) + ": is not UTF-8 text");
    }
  }
}
