package io.mutune.orchestrator.store;

import io.mutune.orchestrator.sweep.FormNote;
import io.mutune.orchestrator.sweep.SweepContext;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes small values as JSON text in a column. */
final class StoredJson {
  /** A record that lacks a value was not written by this. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .build();

  private StoredJson() {}

  static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  static <T> T read(String text, Class<T> type) {
    return MAPPER.readValue(text, type);
  }

  /** Older ones do not say how the files were looked at. */
  static SweepContext readContext(String text) {
    ObjectNode context = MAPPER.readValue(text, ObjectNode.class);
    if (!context.has("form")) {
      context.set("form", MAPPER.valueToTree(FormNote.notRecorded()));
    }
    return MAPPER.treeToValue(context, SweepContext.class);
  }

  static Map<String, String> readTexts(String text) {
    return MAPPER.readValue(text, new TypeReference<LinkedHashMap<String, String>>() {});
  }

  static Map<String, Number> readNumbers(String text) {
    return MAPPER.readValue(text, new TypeReference<Map<String, Number>>() {});
  }
}
