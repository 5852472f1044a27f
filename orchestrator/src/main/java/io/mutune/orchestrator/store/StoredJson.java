package io.mutune.orchestrator.store;

import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.FormNote;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefaults;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
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

  /** What a context is without the card of a data set, which most studies do not have. */
  private record Folders(
      Path sweepFolder,
      Path workingFolder,
      Map<String, String> variables,
      FormNote form,
      SweepDefaults defaults) {}

  static String writeContext(SweepContext context) {
    return write(tree(context));
  }

  private static ObjectNode tree(SweepContext context) {
    ObjectNode tree =
        MAPPER.valueToTree(
            new Folders(
                context.sweepFolder(),
                context.workingFolder(),
                context.variables(),
                context.form(),
                context.defaults()));
    context
        .card()
        .ifPresent(
            card ->
                tree.putObject("card")
                    .put("name", card.name())
                    .put("version", card.version())
                    .put("account", card.account())
                    .put("text", card.text())
                    .set("context", tree(card.context())));
    return tree;
  }

  /** Older ones do not say how the files were looked at, nor by which defaults they are planned. */
  static SweepContext readContext(String text) {
    return context(MAPPER.readValue(text, ObjectNode.class));
  }

  private static SweepContext context(ObjectNode tree) {
    if (!tree.has("form")) {
      tree.set("form", MAPPER.valueToTree(FormNote.notRecorded()));
    }
    if (!tree.has("defaults")) {
      tree.put("defaults", SweepDefaults.HUNDRED_STEPS.name());
    }
    JsonNode card = tree.remove("card");
    Folders folders = MAPPER.treeToValue(tree, Folders.class);
    return new SweepContext(
        folders.sweepFolder(),
        folders.workingFolder(),
        folders.variables(),
        folders.form(),
        Optional.ofNullable(card)
            .map(
                known ->
                    new CardText(
                        known.get("name").asString(),
                        known.get("version").asLong(),
                        known.get("account").asString(),
                        known.get("text").asString(),
                        context((ObjectNode) known.get("context")))),
        folders.defaults());
  }

  static Map<String, String> readTexts(String text) {
    return MAPPER.readValue(text, new TypeReference<LinkedHashMap<String, String>>() {});
  }

  static Map<String, Number> readNumbers(String text) {
    return MAPPER.readValue(text, new TypeReference<Map<String, Number>>() {});
  }
}
