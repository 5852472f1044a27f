package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Holds answers against docs/openapi.yaml: each has a status of its route, and one in JSON has the
 * properties that are described and no other. One to another method names those of the path.
 */
final class DescribedAnswers {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  /** Those that come before a route: of a malformed request, another method or host. */
  private static final Set<Integer> OF_NO_ROUTE = Set.of(400, 404, 405, 421);

  private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

  private final JsonNode whole;
  private final Map<String, Schema> schemas = new HashMap<>();

  DescribedAnswers() throws IOException {
    Object read =
        new Load(LoadSettings.builder().build())
            .loadFromString(Files.readString(TestServer.ROOT.resolve("docs/openapi.yaml")));
    whole = MAPPER.valueToTree(read);
    close(whole);
  }

  /** Lets objects have what is described alone. */
  private static void close(JsonNode node) {
    if (node instanceof ObjectNode object
        && object.path("properties").isObject()
        && !object.has("additionalProperties")) {
      object.put("unevaluatedProperties", false);
    }
    node.forEach(DescribedAnswers::close);
  }

  void check(HttpResponse<String> answer) {
    String said = answer.request().method() + " " + answer.uri() + " " + answer.statusCode();
    if (answer.statusCode() == 405) {
      assertThat(answer.headers().firstValue("Allow").orElse("").split(", "))
          .as(said)
          .containsExactlyInAnyOrderElementsOf(methods(answer));
    }
    JsonNode route = route(answer);
    if (route.isMissingNode()) {
      assertThat(OF_NO_ROUTE).as(said).contains(answer.statusCode());
      return;
    }
    JsonNode response = route.path("responses").path(Integer.toString(answer.statusCode()));
    if (response.isMissingNode() && OF_NO_ROUTE.contains(answer.statusCode())) {
      return;
    }
    assertThat(response.isMissingNode()).as(said + " is described").isFalse();
    String type = answer.headers().firstValue("Content-Type").orElse("").replaceAll(" *;.*", "");
    JsonNode content = resolved(response).path("content");
    if (content.isEmpty()) {
      return;
    }
    assertThat(content.propertyNames()).as(said).containsAnyOf(type, "*/*");
    if (type.endsWith("json")) {
      JsonNode described = content.path(type).path("schema");
      assertThat(
              schemas
                  .computeIfAbsent(described.toString(), key -> schema(described))
                  .validate(MAPPER.readTree(answer.body())))
          .as(said)
          .isEmpty();
    }
  }

  private Schema schema(JsonNode described) {
    ObjectNode alone = (ObjectNode) described.deepCopy();
    alone.set("components", whole.path("components"));
    return REGISTRY.getSchema(alone);
  }

  private JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asString("");
    return reference.isEmpty() ? node : whole.at(reference.substring(1));
  }

  private List<String> methods(HttpResponse<String> answer) {
    return path(answer).propertyNames().stream()
        .filter(METHODS::contains)
        .map(method -> method.toUpperCase(Locale.ROOT))
        .toList();
  }

  private JsonNode route(HttpResponse<String> answer) {
    return path(answer).path(answer.request().method().toLowerCase(Locale.ROOT));
  }

  private JsonNode path(HttpResponse<String> answer) {
    String path = answer.uri().getPath();
    JsonNode found = whole.path("paths").path(path);
    for (Map.Entry<String, JsonNode> route : whole.path("paths").properties()) {
      if (found.isMissingNode() && path.matches(route.getKey().replaceAll("\\{\\w+}", "[^/]+"))) {
        found = route.getValue();
      }
    }
    return found;
  }
}
