package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.orchestrator.display.NearestWord;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Mechanisms as people and ledgers write them: {@code gaussian:sigma=20,count=28}, and {@code
 * {"mechanism": "gaussian", "parameters": {"sigma": 20, "sensitivity": 1}, "count": 28}}.
 *
 * <p>The count may stand among the parameters and is 1 where there is none; the sensitivity of a
 * sum is then that of rows of norm 1 under the adjacency. What is rounded is rounded so that what
 * is charged is never less than what was written.
 *
 * @param asked the δ at which an ε is asked, if it is: a mechanism's own δ of the same text is
 *     rounded as that one, down. No more is said thereby, since one such δ takes up all of it.
 */
record MechanismForm(Adjacency adjacency, Optional<Decimal> asked) {
  private static final String MECHANISM = "mechanism";
  private static final String PARAMETERS = "parameters";
  private static final String COUNT = "count";
  private static final String ADJACENCY = "adjacency";
  private static final String DELTA = "delta";
  private static final String SENSITIVITY = "sensitivity";

  /** What statements write of a charge, and the adjacency that it may name. */
  private static final Set<String> OF_CHARGES =
      Set.of(MECHANISM, PARAMETERS, COUNT, "what", "mu", "sequence", "reserved", ADJACENCY);

  private static final Map<String, List<String>> KEYS = Mechanism.keys();

  /** The keys of all of them together, for whoever mistypes one. */
  private static final Set<String> OF_ALL =
      KEYS.values().stream()
          .flatMap(List::stream)
          .collect(Collectors.toCollection(LinkedHashSet::new));

  /**
   * Reads the short notation, a name and perhaps a colon and {@code key=number} with commas
   * between.
   *
   * @throws IllegalArgumentException if it is none
   */
  Mechanism ofNotation(String text) {
    Map<String, Decimal> parameters = new LinkedHashMap<>();
    int colon = text.lastIndexOf(':');
    boolean listed = colon >= 0 && text.indexOf('=', colon) >= 0;
    String name = listed ? text.substring(0, colon) : text;
    if (!listed && colon >= 0 && !text.startsWith(RepeatAndSelect.PREFIX)) {
      throw notOne(text);
    }
    if (listed) {
      for (String assignment : text.substring(colon + 1).split(",", -1)) {
        int equals = assignment.indexOf('=');
        if (equals < 1) {
          throw notOne(text);
        }
        String key = assignment.substring(0, equals).strip();
        Decimal value = Decimal.of(key, assignment.substring(equals + 1));
        if (parameters.put(key, value) != null) {
          throw new IllegalArgumentException(key + " is given twice in '" + text + "'");
        }
      }
    }
    return of(name.strip(), parameters);
  }

  private static IllegalArgumentException notOne(String text) {
    return new IllegalArgumentException(
        "a mechanism is written as NAME:KEY=NUMBER,KEY=NUMBER; was '" + text + "'");
  }

  /**
   * Reads what ledgers and statements write; keys beside those of a mechanism are left alone.
   *
   * @throws IllegalArgumentException if it is none
   */
  Mechanism ofJson(JsonNode json) {
    if (!json.isObject() || !json.has(MECHANISM)) {
      throw new IllegalArgumentException(
          "a mechanism is written as {\"mechanism\": NAME, \"parameters\": {...}}; was " + json);
    }
    if (json.has(ADJACENCY) && Keys.adjacency(json.path(ADJACENCY).asString("")) != adjacency) {
      throw new IllegalArgumentException(
          "a mechanism has another adjacency than what is asked: " + adjacency.key());
    }
    Map<String, Decimal> parameters = new LinkedHashMap<>();
    JsonNode given = json.path(PARAMETERS);
    if (!given.isObject() && !given.isMissingNode()) {
      throw new IllegalArgumentException(
          "parameters must be an object of numbers by their names; was " + given);
    }
    for (Map.Entry<String, JsonNode> parameter : given.properties()) {
      String key = parameter.getKey();
      parameters.put(key, QueryFields.decimal(key, parameter.getValue()));
    }
    if (json.has(COUNT)) {
      Decimal count = QueryFields.decimal(COUNT, json.get(COUNT));
      if (parameters.put(COUNT, count) != null) {
        throw new IllegalArgumentException("count is given twice, also among the parameters");
      }
    }
    return of(json.get(MECHANISM).asString(), parameters);
  }

  /**
   * Several likewise, with no other keys than those of a charge of a statement.
   *
   * @throws IllegalArgumentException if one is none, or has another key
   */
  List<Mechanism> ofList(JsonNode list) {
    return list.valueStream().map(this::ofCharge).toList();
  }

  private Mechanism ofCharge(JsonNode json) {
    Mechanism mechanism = ofJson(json);
    for (String key : json.propertyNames()) {
      if (!OF_CHARGES.contains(key)) {
        throw new IllegalArgumentException("unknown key '%s' of a mechanism".formatted(key));
      }
    }
    return mechanism;
  }

  private Mechanism of(String name, Map<String, Decimal> written) {
    Map<String, Number> parameters = new LinkedHashMap<>();
    written.forEach((key, value) -> parameters.put(key, rounded(key, value)));
    if (name.startsWith(RepeatAndSelect.PREFIX)) {
      String run = name.substring(name.indexOf(':', RepeatAndSelect.PREFIX.length()) + 1);
      complete(run, RepeatAndSelect.RUN, parameters);
    } else {
      complete(name, "", parameters);
    }
    try {
      return Mechanism.of(name, parameters);
    } catch (IllegalArgumentException e) {
      String near =
          Stream.concat(
                  near(name.substring(name.lastIndexOf(':') + 1), KEYS.keySet()).stream(),
                  written.keySet().stream()
                      .map(RepeatAndSelect::withoutRun)
                      .flatMap(key -> near(key, OF_ALL).stream()))
              .collect(Collectors.joining(" and "));
      throw near.isEmpty()
          ? e
          : new IllegalArgumentException(e.getMessage() + "; did you mean " + near + "?", e);
    }
  }

  /** What was meant by a word that is none of those. */
  private static Optional<String> near(String word, Set<String> known) {
    return known.contains(word) ? Optional.empty() : NearestWord.of(word, known);
  }

  private void complete(String name, String prefix, Map<String, Number> parameters) {
    parameters.putIfAbsent(prefix + COUNT, 1);
    if (KEYS.getOrDefault(name, List.of()).contains(SENSITIVITY)) {
      parameters.putIfAbsent(prefix + SENSITIVITY, (double) adjacency.sumSensitivity());
    }
  }

  private Number rounded(String key, Decimal value) {
    if (RepeatAndSelect.withoutRun(key).equals(COUNT)) {
      return value.count(key);
    }
    boolean isAsked = key.equals(DELTA) && asked.filter(value::equalsExactly).isPresent();
    return Mechanism.isCheaperWithMore(key) || isAsked ? value.down() : value.up();
  }

  /** As statements write it: the count beside the parameters. */
  static ObjectNode json(Mechanism mechanism) {
    ObjectNode json = ExactJson.object().put(MECHANISM, mechanism.name());
    ObjectNode parameters = json.putObject(PARAMETERS);
    mechanism
        .parameters()
        .forEach(
            (key, value) -> {
              if (key.equals(COUNT)) {
                json.put(COUNT, value.longValue());
              } else if (key.endsWith(COUNT)) {
                parameters.put(key, value.longValue());
              } else {
                ExactJson.put(parameters, key, value.doubleValue());
              }
            });
    return json;
  }
}
