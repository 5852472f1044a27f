package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Adjacency;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The answer to one query, written key by key; first whose answer it is and under what. */
final class Reply {
  private final ObjectNode json = Numbers.object();

  /** The answer to a query that names its kind, and perhaps itself. */
  static Reply to(Inputs query) {
    Reply reply = new Reply();
    for (String key : List.of("id", "kind", "name")) {
      if (query.has(key)) {
        reply.json.set(key, query.get(key));
      }
    }
    return reply;
  }

  Reply by(String accountant, Adjacency adjacency) {
    return by(accountant).put("adjacency", adjacency.key());
  }

  Reply by(String accountant) {
    json.put("accountant", accountant);
    return this;
  }

  /** A cost, known between two ends: what may be relied upon is the upper one. */
  Reply cost(String key, double lower, double upper) {
    return between(lower, upper).put("guarantee", upper).put(key, upper);
  }

  /** What a budget leaves room for, known between two ends: the lower one keeps the budget. */
  Reply room(String key, double lower, double upper) {
    return between(lower, upper).put("guarantee", lower).put(key, lower);
  }

  Reply between(double lower, double upper) {
    return put("lower", lower).put("upper", upper);
  }

  Reply put(String key, double value) {
    Numbers.put(json, key, value);
    return this;
  }

  Reply put(String key, long value) {
    json.put(key, value);
    return this;
  }

  Reply put(String key, String value) {
    json.put(key, value);
    return this;
  }

  Reply put(String key, boolean value) {
    json.put(key, value);
    return this;
  }

  Reply none(String key) {
    json.putNull(key);
    return this;
  }

  Reply put(String key, List<Double> values) {
    ArrayNode array = json.putArray(key);
    values.forEach(value -> Numbers.add(array, value));
    return this;
  }

  Reply words(String key, List<String> values) {
    values.forEach(json.putArray(key)::add);
    return this;
  }

  ObjectNode json() {
    return json;
  }
}
