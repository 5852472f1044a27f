package io.mutune.trainer.external;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A message of the protocol: one JSON object on one line, of texts, numbers, flags and objects. */
final class JsonLine {
  private static final JsonMapper JSON = new JsonMapper();

  private JsonLine() {}

  static String write(Map<String, ?> message) {
    return JSON.writeValueAsString(message);
  }

  /** Reads a line; empty where it is no such message. A list, or null, is read as absent. */
  static Optional<Map<String, Object>> read(String line) {
    try {
      JsonNode message = JSON.readTree(line);
      return message.isObject() ? Optional.of(values(message)) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static Map<String, Object> values(JsonNode object) {
    Map<String, Object> values = new LinkedHashMap<>();
    object.forEachEntry(
        (name, node) -> {
          Object value = value(node);
          if (value != null) {
            values.put(name, value);
          }
        });
    return values;
  }

  private static @Nullable Object value(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> values(node);
      case STRING -> node.stringValue();
      case BOOLEAN -> node.booleanValue();
      case NUMBER -> node.doubleValue();
      default -> null;
    };
  }
}
