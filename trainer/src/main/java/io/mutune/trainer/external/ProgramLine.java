package io.mutune.trainer.external;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What a program and Mutune say to each other, from the program's side. */
final class ProgramLine {
  private final BufferedReader in;
  private final PrintStream out;

  private ProgramLine(BufferedReader in, PrintStream out) {
    this.in = in;
    this.out = out;
  }

  static ProgramLine ofProcess() {
    PrintStream out = System.out;
    System.setOut(System.err);
    return new ProgramLine(
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), out);
  }

  void say(Map<String, ?> message) {
    byte[] line = (JsonLine.write(message) + "\n").getBytes(StandardCharsets.UTF_8);
    out.write(line, 0, line.length);
    out.flush();
  }

  Map<String, Object> hear(String... expected) throws IOException {
    String line = in.readLine();
    if (line == null) {
      throw new EOFException("Mutune has ended");
    }
    return JsonLine.read(line)
        .filter(message -> List.of(expected).contains(message.get("type")))
        .orElseThrow(
            () -> new IOException("expected " + String.join(" or ", expected) + ", heard " + line));
  }

  static double number(Map<?, ?> message, String key) throws IOException {
    if (message.get(key) instanceof Double number) {
      return number;
    }
    throw new IOException("there is no number " + key);
  }

  static int whole(Map<?, ?> message, String key) throws IOException {
    return (int) number(message, key);
  }

  static String text(Map<?, ?> message, String key) throws IOException {
    if (message.get(key) instanceof String text) {
      return text;
    }
    throw new IOException("there is no text " + key);
  }

  static Path path(Map<?, ?> message, String key) throws IOException {
    return Path.of(text(message, key));
  }

  static Map<?, ?> object(Map<?, ?> message, String key) throws IOException {
    if (message.get(key) instanceof Map<?, ?> object) {
      return object;
    }
    throw new IOException("there is no object " + key);
  }
}
