package io.mutune.orchestrator.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
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

  private record Line(String key, String study, JsonNode outcome) {}

  private final Class<T> type;
  private final Optional<Path> file;
  private final Map<String, T> known = new HashMap<>();

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
   * @param file of lines, which need not be there; a last line that a kill tore is left out
   * @throws IOException if it cannot be read, or another line is none of a journal's
   */
  public static <T extends Record> Journal<T> in(Path file, Class<T> type) throws IOException {
    Journal<T> journal = new Journal<>(type, Optional.of(file));
    if (Files.exists(file)) {
      String text = Files.readString(file);
      List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
      for (int i = 0; i < lines.size(); i++) {
        boolean torn = i == lines.size() - 1 && !text.endsWith("\n");
        if (!torn) {
          journal.take(lines.get(i), i + 1);
        }
      }
      if (!text.endsWith("\n") && !lines.isEmpty()) {
        // What is torn must not run into the next line.
        int whole = text.lastIndexOf('\n') + 1;
        Files.writeString(file, text.substring(0, whole));
      }
    }
    return journal;
  }

  private void take(String text, int number) throws IOException {
    try {
      Line line = MAPPER.readValue(text, Line.class);
      known.put(line.key(), MAPPER.treeToValue(line.outcome(), type));
    } catch (JacksonException e) {
      throw new IOException(file.orElseThrow() + ":" + number + " is no line of a journal", e);
    }
  }

  public Optional<T> find(String key) {
    return Optional.ofNullable(known.get(key));
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
