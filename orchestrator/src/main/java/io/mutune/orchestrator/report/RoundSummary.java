package io.mutune.orchestrator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Which trials went on to the next round, where scores choose: by {@code from} of the runs. */
final class RoundSummary {
  private RoundSummary() {}

  /**
   * A sentence a round, the first one first; none where no run follows a trial.
   *
   * @param result as {@code result.json} has it
   */
  static List<String> sentences(JsonNode result) {
    TreeMap<Integer, List<JsonNode>> rounds = new TreeMap<>();
    for (JsonNode trial : result.path("trials")) {
      rounds.computeIfAbsent(trial.path("sweep").asInt(), r -> new ArrayList<>()).add(trial);
    }
    List<String> sentences = new ArrayList<>();
    rounds.forEach(
        (round, trials) -> {
          List<JsonNode> next = rounds.getOrDefault(round + 1, List.of());
          JsonNode last = result.path("final").path("from");
          if (next.stream().anyMatch(trial -> trial.has("from"))) {
            sentences.add(
                "Of the %d trials of sweep %d went on, the best first: %s."
                    .formatted(
                        trials.size(),
                        round,
                        String.join(", ", next.stream().map(RoundSummary::followed).toList())));
          } else if (next.isEmpty() && last.isNumber()) {
            sentences.add("The final run takes over the point of trial " + last.asInt() + ".");
          }
        });
    return sentences;
  }

  private static String followed(JsonNode trial) {
    return "trial %d as trial %d"
        .formatted(trial.path("from").asInt(), trial.path("trial").asInt());
  }
}
