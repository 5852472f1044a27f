package io.mutune.orchestrator.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.mutune.orchestrator.sweep.FormNote;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefaults;
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
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_ABSENT))
          .build();

  private StoredJson() {}

  static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  static <T> T read(String text, Class<T> type) {
    return MAPPER.readValue(text, type);
  }

  /** Older ones do not say how the files were looked at, nor by which defaults they are planned. */
  static SweepContext readContext(String text) {
    ObjectNode context = MAPPER.readValue(text, ObjectNode.class);
    complete(context);
    return MAPPER.treeToValue(context, SweepContext.class);
  }

  private static void complete(ObjectNode context) {
    if (!context.has("form")) {
      context.set("form", MAPPER.valueToTree(FormNote.notRecorded()));
    }
    if (!context.has("defaults")) {
      context.put("defaults", SweepDefaults.HUNDRED_STEPS.name());
    }
    if (context.has("card")) {
      complete((ObjectNode) context.get("card").get("context"));
    } else {
      context.putNull("card"); // most studies do not have one
    }
  }

  static Map<String, String> readTexts(String text) {
    return MAPPER.readValue(text, new TypeReference<LinkedHashMap<String, String>>() {});
  }

  static Map<String, Number> readNumbers(String text) {
    return MAPPER.readValue(text, new TypeReference<Map<String, Number>>() {});
  }
}
