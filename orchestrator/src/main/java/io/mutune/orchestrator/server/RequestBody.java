package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.mutune.orchestrator.display.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the body of a request. Content types that a page of another site could send without a CORS
 * preflight are refused.
 */
final class RequestBody {
  private static final Set<String> SWEEPS =
      Set.of(
          "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "application/json");

  private RequestBody() {}

  /** Reads the text of a sweep, in YAML or JSON. */
  static String sweep(Context ctx) {
    if (!SWEEPS.contains(kind(ctx))) {
      throw new HttpProblem(415, "send the sweep with the header Content-Type: application/yaml");
    }
    return text(ctx);
  }

  /** Reads a JSON object; an empty one if the body is empty. */
  static ObjectNode json(Context ctx) {
    String text = text(ctx);
    if (text.isBlank()) {
      return Json.object();
    }
    if (!kind(ctx).equals("application/json")) {
      throw new HttpProblem(415, "send JSON with the header Content-Type: application/json");
    }
    try {
      return Json.read(text);
    } catch (JacksonException e) {
      throw new HttpProblem(400, "the body is no JSON object");
    }
  }

  /**
   * Reads a JSON object that has no other keys.
   *
   * @param what it is, in words
   */
  static ObjectNode json(Context ctx, String what, Set<String> keys) {
    ObjectNode json = json(ctx);
    if (!keys.containsAll(json.propertyNames())) {
      throw new HttpProblem(400, what + " has " + String.join(", ", new TreeSet<>(keys)));
    }
    return json;
  }

  /** Returns a number of an object; null if it has none of this key. */
  static @Nullable Double number(ObjectNode json, String key) {
    JsonNode value = json.get(key);
    if (value == null) {
      return null;
    }
    if (!value.isNumber()) {
      throw new HttpProblem(400, key + " is a number");
    }
    try {
      return value.asDouble();
    } catch (JacksonException e) {
      throw new HttpProblem(400, "a number is out of range");
    }
  }

  /** Returns a text of an object, or another where it has none of this key. */
  static String text(ObjectNode json, String key, String missing) {
    JsonNode value = json.get(key);
    if (value == null) {
      return missing;
    }
    if (!value.isString()) {
      throw new HttpProblem(400, key + " is a text");
    }
    return value.asString();
  }

  private static String kind(Context ctx) {
    return Optional.ofNullable(ctx.contentType())
        .orElse("")
        .replaceFirst(";.*", "")
        .strip()
        .toLowerCase(Locale.ROOT);
  }

  private static String text(Context ctx) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(ctx.bodyAsBytes()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new HttpProblem(400, "the body is not UTF-8 text");
    }
  }
}
