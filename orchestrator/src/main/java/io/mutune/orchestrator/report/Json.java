package io.mutune.orchestrator.report;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The form of every JSON that Mutune writes: camelCase keys, numbers as numbers, a version first.
 */
public final class Json {
  private static final int VERSION = 1;
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Json() {}

  /** A new document that carries its version. */
  public static ObjectNode document() {
    return object().put("version", VERSION);
  }

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  public static String write(ObjectNode document) {
    return MAPPER.writeValueAsString(document) + "\n";
  }

  /** A record of numbers, words, enums and lists of them as a tree. */
  static ObjectNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /**
   * Reads a document.
   *
   * @throws tools.jackson.core.JacksonException if it is not a JSON object
   */
  public static ObjectNode read(String text) {
    return MAPPER.readValue(text, ObjectNode.class);
  }
}
