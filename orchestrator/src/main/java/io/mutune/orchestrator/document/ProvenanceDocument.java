package io.mutune.orchestrator.document;

import io.mutune.orchestrator.study.DataFingerprint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What worked on a study, and on which data, for programs and for people.
 *
 * @param processes each by what its results may depend on
 */
public record ProvenanceDocument(List<Map<String, Object>> processes, List<Part> data) {
  private static final Set<String> NUMBERS = Set.of("threads", "blasThreads", "vectorBits");

  /** By what the files of one part of the data can be known again. */
  public record Part(String part, String kind, Optional<String> nonce, List<String> files) {
    static Part of(DataFingerprint fingerprint) {
      return new Part(
          fingerprint.part(),
          fingerprint.kind(),
          Optional.of(fingerprint.nonce()).filter(nonce -> !nonce.isEmpty()),
          List.copyOf(fingerprint.files().values()));
    }
  }

  public static ProvenanceDocument of(
      List<Map<String, String>> processes, List<DataFingerprint> data) {
    return new ProvenanceDocument(
        processes.stream().map(ProvenanceDocument::typed).toList(),
        data.stream().map(Part::of).toList());
  }

  private static Map<String, Object> typed(Map<String, String> process) {
    Map<String, Object> typed = new LinkedHashMap<>(process);
    typed.replaceAll(
        (name, value) ->
            NUMBERS.contains(name) && value.toString().matches("[0-9]{1,9}")
                ? (Object) Integer.valueOf(value.toString())
                : value);
    return typed;
  }

  /** A sentence for each kind of process that there was, with how many. */
  public List<String> sentences() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    processes.forEach(process -> counts.merge(sentence(process), 1, Integer::sum));
    List<String> sentences = new ArrayList<>();
    counts.forEach(
        (sentence, count) ->
            sentences.add(count == 1 ? sentence : sentence + " (" + count + " processes)"));
    return sentences;
  }

  private static String sentence(Map<String, Object> process) {
    StringBuilder text = new StringBuilder("Mutune ").append(text(process, "mutune"));
    if (process.containsKey("commit")) {
      text.append(" (").append(text(process, "commit")).append(')');
    }
    text.append(" on Java ").append(text(process, "java"));
    text.append(" (").append(text(process, "javaVendor")).append("), ");
    text.append(text(process, "os")).append(' ').append(text(process, "architecture"));
    text.append(", engine ").append(text(process, "engine"));
    for (String detail :
        List.of("nd4j", "backend", "blas", "arithmetic", "vectorBits", "encoding", "encoders")) {
      if (process.containsKey(detail)) {
        text.append(", ").append(detail).append(' ').append(text(process, detail));
      }
    }
    return text.append(", ").append(text(process, "threads")).append(" threads").toString();
  }

  private static String text(Map<String, Object> process, String key) {
    return process.getOrDefault(key, "unknown").toString();
  }

  /** For a terminal; nothing where an earlier version kept nothing. */
  public String text() {
    StringBuilder text = new StringBuilder();
    sentences().forEach(sentence -> text.append("run by: ").append(sentence).append('\n'));
    for (Part part : data) {
      text.append("read: ").append(part.part()).append(", ").append(part.kind());
      part.files().forEach(value -> text.append(' ').append(value));
      text.append('\n');
    }
    return text.toString();
  }
}
