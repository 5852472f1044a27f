package io.mutune.orchestrator.cost;

import java.util.Iterator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON list of questions, each answered on its own: an answer is what was found, or {@code error}
 * and nothing else. docs/accounting.md describes the form.
 */
public final class Batch {
  private final JsonNode queries;

  private Batch(JsonNode queries) {
    this.queries = queries;
  }

  /**
   * Reads a list, or an object whose {@code rows} are one.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static Batch read(String text) {
    JsonNode json = ExactJson.read(text);
    JsonNode queries = json.isObject() && json.has("rows") ? json.get("rows") : json;
    if (!queries.isArray()) {
      throw new IllegalArgumentException(
          "a batch is a JSON list of queries, or an object whose rows are one");
    }
    return new Batch(queries);
  }

  /** The answers in the order of the queries, each computed when the iterator reaches it. */
  public Iterator<ObjectNode> answers() {
    return queries.valueStream().map(Batch::answer).iterator();
  }

  static ObjectNode answer(JsonNode query) {
    try {
      if (!(query instanceof ObjectNode object)) {
        throw new IllegalArgumentException("a query is a JSON object; was " + query);
      }
      return requireNumbers(answer(new QueryFields(object)));
    } catch (IllegalArgumentException e) {
      return ExactJson.object().put("error", String.valueOf(e.getMessage()));
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      // A mistake in Mutune, or a query beyond this machine; the other queries are still answered.
      return ExactJson.object().put("error", "this could not be computed: " + e);
    }
  }

  private static ObjectNode answer(QueryFields query) {
    ObjectNode answer = ExactJson.object();
    for (String key : List.of("id", "name")) {
      if (query.has(key)) {
        answer.set(key, query.get(key));
      }
    }
    if (BatchQuestion.isCost(query)) {
      BatchQuestion.cost(query).answer().addTo(answer);
    } else {
      BatchQuestion.calibration(query).answer().addTo(answer);
    }
    return answer;
  }

  /** Turns an answer that is not a number into an error. */
  private static ObjectNode requireNumbers(ObjectNode answer) {
    answer
        .properties()
        .forEach(
            entry -> {
              if (entry.getValue().isDouble() && Double.isNaN(entry.getValue().asDouble())) {
                throw new ArithmeticException(entry.getKey() + " is not a number");
              }
            });
    return answer;
  }
}
