package io.mutune.orchestrator.compare;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.lang3.ArrayUtils;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The outcomes of studies that are run for their figures alone, a line each as they end, so that a
 * comparison which was killed goes on and one over another range takes over what is the same in
 * both. The rows need no protection and the noise is seeded: nothing here is a study's own record.
 *
 * @param <T> an outcome: a record that JSON can hold
 */
public final class Journal<T extends Record> {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .build();

  /** How a line begins. */
  private static final String START = "{\"key\":";

  private record Line(String key, String study, JsonNode outcome) {}

  private final Class<T> type;
  private final Optional<Path> file;
  private final Map<String, T> known = new HashMap<>();
  private final Map<String, T> used = new HashMap<>();

  private Journal(Class<T> type, Optional<Path> file) {
    this.type = type;
    this.file = file;
  }

  /** Of one run alone, and forgotten with it. */
  public static <T extends Record> Journal<T> none(Class<T> type) {
    return new Journal<>(type, Optional.empty());
  }

  /**
   * That of earlier runs too.
   *
   * @param file of lines, made if need be; a last line that a kill tore is left out
   * @throws IOException if it cannot be read or made, or another line is none of a journal's
   */
  public static <T extends Record> Journal<T> in(Path file, Class<T> type) throws IOException {
    Journal<T> journal = new Journal<>(type, Optional.of(file));
    byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    int whole = ArrayUtils.lastIndexOf(bytes, (byte) '\n') + 1;
    List<String> lines = new String(bytes, 0, whole, StandardCharsets.UTF_8).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      journal.take(lines.get(i), i + 1);
    }
    String torn = new String(bytes, whole, bytes.length - whole, StandardCharsets.UTF_8);
    if (!torn.startsWith(START) && !START.startsWith(torn)) {
      throw noLine(file, lines.size() + 1, null);
    }
    // Made now, so that a place for none is found before a study runs; what is torn must not run
    // into the next line.
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (whole < bytes.length) {
        channel.truncate(whole);
      }
    }
    return journal;
  }

  private void take(String text, int number) throws IOException {
    try {
      Line line = MAPPER.readValue(text, Line.class);
      known.put(line.key(), MAPPER.treeToValue(line.outcome(), type));
    } catch (JacksonException e) {
      throw noLine(file.orElseThrow(), number, e);
    }
  }

  private static IOException noLine(Path file, int number, @Nullable Exception cause) {
    return new IOException(file + ":" + number + " is no line of a journal", cause);
  }

  public Optional<T> find(String key) {
    Optional<T> found = Optional.ofNullable(known.get(key));
    found.ifPresent(outcome -> used.put(key, outcome));
    return found;
  }

  /** What was found, each once. */
  public Collection<T> used() {
    return used.values();
  }

  /** Keeps an outcome; on disk when this returns, but for what the system still holds. */
  public void add(String key, String study, T outcome) throws IOException {
    known.put(key, outcome);
    if (file.isPresent()) {
      String line =
          MAPPER.writeValueAsString(new Line(key, study, MAPPER.valueToTree(outcome))) + "\n";
      Files.writeString(file.get(), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  /** Names a study by everything that its figures follow from. */
  public static String key(String everything) {
    return DigestUtils.sha256Hex(everything);
  }
}
