package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import java.util.Arrays;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The numbers that a query gives under their keys, as JSON numbers or as strings. What is wrong
 * with one is an {@link IllegalArgumentException} that names key, rule and value.
 *
 * @param json the query
 */
record Inputs(ObjectNode json) {
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

  /**
   * A list, perhaps an empty one: another value has no elements either, and would cost nothing.
   *
   * @throws IllegalArgumentException if it is none
   */
  JsonNode list(String key) {
    JsonNode value = get(key);
    if (!value.isArray()) {
      throw new IllegalArgumentException("%s must be a list; was %s".formatted(key, value));
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

  long count(String key) {
    return decimal(key).count(key);
  }

  /** A δ, rounded down: spending less asks for more privacy. */
  Delta delta(String key) {
    return Delta.of(decimal(key).delta(key));
  }

  /** The ε of a budget, rounded down. */
  Epsilon budget(String key) {
    return Epsilon.of(decimal(key).notNegative(key).down());
  }

  double positive(String key) {
    return decimal(key).positive(key).nearest();
  }

  /** Noise: rounded down. */
  double noise(String key) {
    return decimal(key).positive(key).down();
  }

  /** Add/remove where nothing is said. */
  Adjacency adjacency() {
    return has("adjacency") ? adjacency(text("adjacency")) : Adjacency.ADD_REMOVE;
  }

  /**
   * The adjacency of this name, with a hyphen or an underscore.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Adjacency adjacency(String text) {
    return Adjacency.ofKey(text.replace('_', '-'))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "adjacency must be one of %s; was '%s'"
                        .formatted(
                            Arrays.stream(Adjacency.values())
                                .map(Adjacency::key)
                                .collect(Collectors.joining(", ")),
                            text)));
  }
}
