package io.mutune.orchestrator.cost;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON whose numbers lose nothing: decimals are read exactly, doubles are written with the fewest
 * digits that read back as the same double, and infinity is the string {@code inf}.
 */
public final class ExactJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          // NaN is then an error of one query and not of the whole batch.
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .build();

  private ExactJson() {}

  /**
   * Reads any JSON.
   *
   * @throws IllegalArgumentException if it is none; the message goes behind a name of the text
   */
  static JsonNode read(String text) {
    try {
      JsonNode json = MAPPER.readTree(text);
      if (json.isMissingNode()) {
        throw new IllegalArgumentException("is empty");
      }
      return json;
    } catch (StreamConstraintsException e) {
      throw new IllegalArgumentException("is nested too deeply, or has too long a number", e);
    } catch (JacksonException e) {
      String what =
          e instanceof MismatchedInputException
              ? "holds more than one JSON value,"
              : e.getOriginalMessage().startsWith("Duplicate") ? "has a key twice" : "is no JSON";
      throw new IllegalArgumentException(
          "%s at line %d, column %d"
              .formatted(what, e.getLocation().getLineNr(), e.getLocation().getColumnNr()),
          e);
    }
  }

  /** Writes it on one line. */
  public static String line(JsonNode node) {
    return MAPPER.writeValueAsString(node);
  }

  /** Writes it over several lines, with a line end at the end. */
  public static String document(JsonNode node) {
    return MAPPER.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(node) + "\n";
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static void put(ObjectNode object, String key, double value) {
    if (Double.isInfinite(value)) {
      object.put(key, value > 0 ? "inf" : "-inf");
    } else {
      object.put(key, value);
    }
  }
}
