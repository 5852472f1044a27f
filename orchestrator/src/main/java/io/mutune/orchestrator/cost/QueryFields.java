package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.compare.Accountant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the fields of a JSON query; numbers may be JSON numbers or strings. What is wrong with a
 * field is an {@link IllegalArgumentException} that names key, rule and value.
 *
 * @param json the query
 */
record QueryFields(ObjectNode json) {
  boolean has(String key) {
    return json.hasNonNull(key);
  }

  JsonNode get(String key) {
    JsonNode value = json.get(key);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException(key + " is missing");
    }
    return value;
  }

  Decimal decimal(String key) {
    return decimal(key, get(key));
  }

  static Decimal decimal(String name, JsonNode value) {
    if (!value.isNumber() && !value.isString()) {
      throw new IllegalArgumentException("%s must be a number; was %s".formatted(name, value));
    }
    return Decimal.of(name, value.asString());
  }

  String text(String key) {
    return get(key).asString();
  }

  /** Add/remove where none is given. */
  Adjacency adjacency() {
    return has("adjacency") ? Keys.adjacency(text("adjacency")) : Adjacency.ADD_REMOVE;
  }

  /** The accountant that the query names. */
  Optional<Accountant> accountant() {
    return has("accountant") ? Optional.of(Keys.accountant(text("accountant"))) : Optional.empty();
  }

  /** Whether the answers of all accountants are wanted. */
  boolean compare() {
    return has("compare") && get("compare").asBoolean(false);
  }
}
