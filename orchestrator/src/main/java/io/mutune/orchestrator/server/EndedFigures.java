package io.mutune.orchestrator.server;

import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What finished studies have released, in a few figures, from the documents in their folders. These
 * never change, and so are read once.
 */
final class EndedFigures {
  /** Some megabytes. */
  private static final int MOST = 20_000;

  private final Map<String, Figures> known = new ConcurrentHashMap<>();

  /**
   * Of one study; all of it is released.
   *
   * @param accuracy on its test rows
   * @param error the mean absolute error there, where the labels are numbers
   * @param seconds that it ran; empty where that is not told
   */
  record Figures(
      String strategy,
      String method,
      OptionalDouble accuracy,
      OptionalDouble error,
      OptionalDouble epsilon,
      OptionalDouble seconds) {
    void put(ObjectNode json) {
      json.put("strategy", strategy).put("method", method);
      accuracy.ifPresent(value -> json.put("accuracy", value));
      error.ifPresent(value -> json.put("error", value));
      epsilon.ifPresent(value -> json.put("epsilonSpent", value));
      seconds.ifPresent(value -> json.put("seconds", value));
    }
  }

  /** Nothing of a study that has not finished, or whose documents are no longer there. */
  Optional<Figures> of(StudyRecord study) {
    if (study.state() != StudyState.FINISHED) {
      return Optional.empty();
    }
    Figures figures = known.get(study.id());
    if (figures == null) {
      figures = read(study.output()).orElse(null);
      if (figures != null) {
        if (known.size() >= MOST) {
          known.clear();
        }
        known.put(study.id(), figures);
      }
    }
    return Optional.ofNullable(figures);
  }

  private static Optional<Figures> read(Path folder) {
    try {
      ObjectNode result = Json.read(Files.readString(folder.resolve("result.json")));
      ObjectNode statement = Json.read(Files.readString(folder.resolve("statement.json")));
      return Optional.of(
          new Figures(
              result.path("strategy").asString(""),
              result.path("method").asString(""),
              number(result.path("testAccuracy")),
              number(result.path("testError")),
              number(statement.path("epsilon")),
              told(number(result.path("seconds")))));
    } catch (IOException | JacksonException e) {
      return Optional.empty(); // the study's own page says that it is gone
    }
  }

  /** Of a study whose time is secret it is 0. */
  private static OptionalDouble told(OptionalDouble seconds) {
    return seconds.orElse(0) > 0 ? seconds : OptionalDouble.empty();
  }

  private static OptionalDouble number(JsonNode value) {
    return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
  }
}
