package io.mutune.orchestrator.cost;

import io.mutune.orchestrator.cost.CalibrationQuestion.Unknown;
import tools.jackson.databind.node.ObjectNode;

/**
 * A value that keeps a budget, and how far from the best one it may be.
 *
 * @param value on the side that keeps it
 * @param lower at most the true one
 * @param upper at least the true one
 * @param cost what all charges with this value cost; never above the budget
 */
public record CalibrationAnswer(
    CalibrationQuestion question, double value, double lower, double upper, Cost cost) {
  /** The key under which the value is given. */
  public String key() {
    return question.unknown() == Unknown.FINAL ? "eps_f" : question.unknown().key();
  }

  /** The question and its answer. */
  public ObjectNode json() {
    ObjectNode json =
        ExactJson.object()
            .put("version", 1)
            .put("question", question.unknown().key())
            .put("adjacency", question.adjacency().key());
    ExactJson.put(json, "epsilon", question.epsilon().nearest());
    ExactJson.put(json, "delta", question.delta().nearest());
    addTo(json);
    return json;
  }

  /** Adds the answer alone, as batches give it. */
  void addTo(ObjectNode json) {
    json.put("accountant", cost.accountant()).put("adjacency", question.adjacency().key());
    put(json, "lower", lower);
    put(json, "upper", upper);
    put(json, "guarantee", value);
    put(json, key(), value);
    ExactJson.put(json, "costs", cost.bound().upper());
  }

  private void put(ObjectNode json, String key, double number) {
    if (question.unknown() == Unknown.STEPS && Double.isFinite(number)) {
      json.put(key, (long) number);
    } else {
      ExactJson.put(json, key, number);
    }
  }
}
