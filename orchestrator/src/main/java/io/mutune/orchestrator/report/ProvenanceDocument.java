package io.mutune.orchestrator.report;

import io.mutune.orchestrator.study.DataFingerprint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What worked on a study, and on which data, for programs and for people. */
public final class ProvenanceDocument {
  private static final Set<String> NUMBERS = Set.of("threads", "blasThreads", "vectorBits");

  private ProvenanceDocument() {}

  public static ObjectNode json(List<Map<String, String>> processes, List<DataFingerprint> data) {
    ObjectNode json = Json.object();
    ArrayNode list = json.putArray("processes");
    processes.forEach(process -> put(list.addObject(), process));
    ArrayNode parts = json.putArray("data");
    for (DataFingerprint fingerprint : data) {
      ObjectNode part = parts.addObject();
      part.put("part", fingerprint.part()).put("kind", fingerprint.kind());
      if (!fingerprint.nonce().isEmpty()) {
        part.put("nonce", fingerprint.nonce());
      }
      fingerprint.files().values().forEach(part.putArray("files")::add);
    }
    return json;
  }

  private static void put(ObjectNode json, Map<String, String> process) {
    process.forEach(
        (name, value) -> {
          if (NUMBERS.contains(name) && value.matches("[0-9]{1,9}")) {
            json.put(name, Integer.parseInt(value));
          } else {
            json.put(name, value);
          }
        });
  }

  /** A sentence for each kind of process that there was, with how many. */
  static List<String> sentences(JsonNode processes) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    processes.forEach(process -> counts.merge(sentence(process), 1, Integer::sum));
    List<String> sentences = new ArrayList<>();
    counts.forEach(
        (sentence, count) ->
            sentences.add(count == 1 ? sentence : sentence + " (" + count + " processes)"));
    return sentences;
  }

  private static String sentence(JsonNode process) {
    StringBuilder text = new StringBuilder("Mutune ").append(text(process, "mutune"));
    if (process.has("commit")) {
      text.append(" (").append(text(process, "commit")).append(')');
    }
    text.append(" on Java ").append(text(process, "java"));
    text.append(" (").append(text(process, "javaVendor")).append("), ");
    text.append(text(process, "os")).append(' ').append(text(process, "architecture"));
    text.append(", engine ").append(text(process, "engine"));
    for (String detail : List.of("nd4j", "backend", "blas", "arithmetic", "vectorBits")) {
      if (process.has(detail)) {
        text.append(", ").append(detail).append(' ').append(text(process, detail));
      }
    }
    return text.append(", ").append(text(process, "threads")).append(" threads").toString();
  }

  private static String text(JsonNode node, String key) {
    return node.path(key).asString("unknown");
  }

  /** For a terminal; nothing where an earlier version kept nothing. */
  public static String text(List<Map<String, String>> processes, List<DataFingerprint> data) {
    StringBuilder text = new StringBuilder();
    sentences(json(processes, data).path("processes"))
        .forEach(sentence -> text.append("run by: ").append(sentence).append('\n'));
    for (DataFingerprint fingerprint : data) {
      text.append("read: ").append(fingerprint.part());
      text.append(", ").append(fingerprint.kind());
      fingerprint.files().forEach((file, value) -> text.append(' ').append(value));
      text.append('\n');
    }
    return text.toString();
  }
}
