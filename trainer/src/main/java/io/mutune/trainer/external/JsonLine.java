package io.mutune.trainer.external;

import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A message of the protocol: one JSON object on one line, of texts, numbers, flags and objects. */
final class JsonLine {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonLine() {}

  static String write(Map<String, ?> message) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      writeObject(json, message);
    }
    return text.toString();
  }

  private static void writeObject(JsonGenerator json, Map<?, ?> object) {
    json.writeStartObject();
    object.forEach(
        (key, value) -> {
          json.writeName(String.valueOf(key));
          writeValue(json, value);
        });
    json.writeEndObject();
  }

  private static void writeValue(JsonGenerator json, Object value) {
    if (value instanceof Map<?, ?> map) {
      writeObject(json, map);
    } else if (value instanceof Long || value instanceof Integer) {
      json.writeNumber(((Number) value).longValue());
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else {
      json.writeString(value.toString());
    }
  }

  /** Reads a line; empty where it is no such message. A list, or null, is read as absent. */
  static Optional<Map<String, Object>> read(String line) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      Map<String, Object> message = readObject(parser);
      return parser.nextToken() == null ? Optional.of(message) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static Map<String, Object> readObject(JsonParser parser) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      Object value = readValue(parser, parser.nextToken());
      if (value != null) {
        object.put(name, value);
      }
    }
    return object;
  }

  private static @Nullable Object readValue(JsonParser parser, JsonToken token) {
    return switch (token) {
      case START_OBJECT -> readObject(parser);
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      default -> {
        parser.skipChildren();
        yield null;
      }
    };
  }
}
