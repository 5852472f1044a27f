package io.mutune.orchestrator.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.feature.FeatureType;
import io.mutune.trainer.feature.FeatureTypes;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.LossType;
import io.mutune.trainer.method.catalogue.TrainingMethods;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.table.ColumnKind;
import io.mutune.trainer.table.ColumnKinds;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Holds the published schema against what methods, losses, columns and feature maps say of their
 * settings, and prints the lines that it lacks.
 */
class SchemaSettingsTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final JsonNode TREE = MAPPER.readTree(SweepSchema.text());

  @Test
  void settingsOfMethodsAndLosses_standInTheSchemaAsTheyDescribeThemselves() {
    Map<String, ObjectNode> settings = settings();
    ObjectNode properties = (ObjectNode) TREE.at("/properties/train/properties").deepCopy();
    assertThat(words(properties.path("method"))).isEqualTo(TrainingMethods.names());
    assertThat(words(properties.path("loss")))
        .isEqualTo(Loss.all().stream().map(LossType::key).toList());
    properties.remove(List.of("method", "loss", "classWeights"));
    assertThat(properties)
        .as(lines(settings))
        .isEqualTo(MAPPER.readTree(MAPPER.writeValueAsString(settings)));
  }

  @Test
  void settingsOfColumns_standInTheSchemaAsTheyDescribeThemselves() {
    Map<String, ObjectNode> settings = new LinkedHashMap<>();
    Map<String, Set<String>> meanings = new LinkedHashMap<>();
    settings.put("type", described(ColumnKinds.TYPE.values()));
    meanings.put("type", new LinkedHashSet<>(List.of(ColumnKinds.TYPE.meaning())));
    for (ColumnKind kind : ColumnKinds.ALL) {
      for (Setting<?> setting : kind.settings()) {
        settings.merge(setting.key(), described(setting.values()), SchemaSettingsTest::either);
        meanings
            .computeIfAbsent(setting.key(), k -> new LinkedHashSet<>())
            .add(kind.name() + ": " + setting.meaning());
      }
    }
    settings.forEach((key, node) -> node.put("description", String.join("; ", meanings.get(key))));
    assertThat(TREE.at("/$defs/column/properties"))
        .as(lines(settings))
        .isEqualTo(MAPPER.readTree(MAPPER.writeValueAsString(settings)));
    assertThat(TREE.at("/$defs/column/additionalProperties").asBoolean(true)).isFalse();
  }

  @Test
  void settingsOfFeatureMaps_standInTheSchemaAsTheyDescribeThemselves() {
    Map<String, ObjectNode> settings = new LinkedHashMap<>();
    Map<String, Set<String>> maps = new LinkedHashMap<>();
    for (FeatureType type : FeatureTypes.ALL) {
      for (Setting<?> setting : type.settings()) {
        String key = setting.key();
        settings.merge(key, described(setting.values()), SchemaSettingsTest::either);
        maps.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(type.name());
      }
    }
    settings.forEach((key, node) -> node.put("description", String.join(", ", maps.get(key))));
    ObjectNode properties = (ObjectNode) TREE.at("/$defs/feature/properties").deepCopy();
    properties.remove(List.of("type", "columns", "epsilon", "clipNorm"));
    assertThat(properties)
        .as(lines(settings))
        .isEqualTo(MAPPER.readTree(MAPPER.writeValueAsString(settings)));
  }

  private static String lines(Map<String, ObjectNode> settings) {
    return settings.entrySet().stream()
        .map(e -> "        \"%s\": %s".formatted(e.getKey(), e.getValue()))
        .collect(Collectors.joining(",\n"));
  }

  /** The settings of all methods and losses, by key, as they describe themselves. */
  private static Map<String, ObjectNode> settings() {
    Map<String, ObjectNode> settings = new LinkedHashMap<>();
    Map<String, Set<String>> methods = new LinkedHashMap<>();
    Map<String, Set<String>> meanings = new LinkedHashMap<>();
    Map<String, List<? extends Setting<?>>> owners = new LinkedHashMap<>();
    TrainingMethods.ALL.forEach(type -> owners.put(type.name(), type.settings()));
    Loss.all().forEach(type -> owners.put(type.key(), type.settings()));
    owners.forEach(
        (owner, own) -> {
          for (Setting<?> setting : own) {
            String key = setting.key();
            settings.merge(key, described(setting.values()), SchemaSettingsTest::either);
            methods.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(owner);
            meanings.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(setting.meaning());
          }
        });
    settings.forEach(
        (key, node) -> {
          String meaning =
              meanings.getOrDefault(key, Set.of()).stream()
                  .filter(text -> !text.isEmpty())
                  .collect(Collectors.joining("; "));
          String names = String.join(", ", methods.getOrDefault(key, Set.of()));
          node.put("description", meaning.isEmpty() ? names : names + ": " + meaning);
        });
    return settings;
  }

  private static ObjectNode described(Setting.Values<?> values) {
    ObjectNode node = MAPPER.createObjectNode();
    if (values instanceof Setting.Values.Numbers numbers) {
      NumberRule rule = numbers.rule();
      if (rule.whole()) {
        node.put("type", "integer");
        node.put("minimum", (long) rule.least()).put("maximum", (long) rule.most());
        return node;
      }
      node.put("type", "number");
      node.put(rule.aboveLeast() ? "exclusiveMinimum" : "minimum", rule.least());
      node.put(rule.belowMost() ? "exclusiveMaximum" : "maximum", rule.most());
    } else if (values instanceof Setting.Values.Counts counts) {
      node.put("type", "integer").put("minimum", counts.least()).put("maximum", counts.most());
    } else if (values instanceof Setting.Values.Flags) {
      node.put("$ref", "#/$defs/flag");
    } else if (values instanceof Setting.Values.Words words) {
      words.words().forEach(node.putArray("enum")::add);
    } else if (values instanceof Setting.Values.Section section) {
      node.put("type", "object").put("additionalProperties", false);
      ObjectNode properties = node.putObject("properties");
      section.settings().forEach(s -> properties.set(s.key(), described(s.values())));
    } else if (values instanceof Setting.Values.TextList list) {
      node.put("type", "array").putObject("items").put("$ref", "#/$defs/text");
      node.put("minItems", list.least()).put("maxItems", list.most());
    } else if (values instanceof Setting.Values.TextMap) {
      node.put("type", "object").putObject("additionalProperties").put("$ref", "#/$defs/text");
    } else {
      node.put("type", "string");
    }
    return node;
  }

  /** What both take: a schema does not know which method a key is for. */
  private static ObjectNode either(ObjectNode one, ObjectNode other) {
    if (one.has("anyOf") || !one.path("type").equals(other.path("type"))) {
      ObjectNode any = MAPPER.createObjectNode();
      Set<JsonNode> kinds = new LinkedHashSet<>();
      (one.has("anyOf") ? one.path("anyOf").valueStream() : Stream.of(one)).forEach(kinds::add);
      kinds.add(other);
      kinds.forEach(any.putArray("anyOf")::add);
      return any;
    }
    ObjectNode both = one.deepCopy();
    for (String end : List.of("inimum", "aximum")) {
      for (String name : List.of("m" + end, "exclusiveM" + end)) {
        boolean wider =
            other.has(name)
                && (end.startsWith("i")
                    ? other.path(name).asDouble() < bound(one, end)
                    : other.path(name).asDouble() > bound(one, end));
        if (wider) {
          both.remove(List.of("m" + end, "exclusiveM" + end));
          both.set(name, other.path(name));
        }
      }
    }
    return both;
  }

  private static double bound(JsonNode node, String end) {
    return node.path(node.has("m" + end) ? "m" + end : "exclusiveM" + end).asDouble();
  }

  private static List<String> words(JsonNode property) {
    return property.path("enum").valueStream().map(JsonNode::asString).toList();
  }
}
