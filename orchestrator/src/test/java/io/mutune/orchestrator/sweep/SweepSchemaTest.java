package io.mutune.orchestrator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import io.mutune.trainer.method.TrainingMethods;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.model.LossType;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.table.ColumnKind;
import io.mutune.trainer.table.ColumnKinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Holds the published schema against the readers, which know their keys themselves. */
class SweepSchemaTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final JsonNode TREE = MAPPER.readTree(SweepSchema.text());
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(TREE);
  private static final Path ROOT = Path.of(System.getProperty("mutune.root", "."));

  private static final Pattern KNOWN =
      Pattern.compile("\\d+: (\\S*?)\\.?zzzzzzzzzz is not a known key; known here: (.*)");

  /** A sweep with every section, each with a key that nobody knows. */
  private static String strange(String format, String label, String train, String search) {
    String rows =
        "path: a, format: %s, rows: 1000, %s, range: {first: 1, last: 9, zzzzzzzzzz: 1},"
                .formatted(format, label)
            + " zzzzzzzzzz: 1";
    return """
        version: 1
        name: strange
        zzzzzzzzzz: 1
        data:
          private: {%1$s}
          public: {%1$s}
          validation: {%1$s}
          test: {%1$s}
          unit: {zzzzzzzzzz: 1}
          holdOut: {zzzzzzzzzz: 1}
          zzzzzzzzzz: 1
        features:
          - {type: scale, zzzzzzzzzz: 1}
          - {type: l2-normalize, zzzzzzzzzz: 1}
          - {type: group-norm, zzzzzzzzzz: 1}
          - {type: opponent-colours, zzzzzzzzzz: 1}
          - {type: hog, zzzzzzzzzz: 1}
          - {type: scattering, zzzzzzzzzz: 1}
          - {type: random-fourier, zzzzzzzzzz: 1}
          - {type: polynomial, zzzzzzzzzz: 1}
          - {type: private-mean, zzzzzzzzzz: 1}
        budget: {zzzzzzzzzz: 1}
        search: {%2$s, zzzzzzzzzz: 1}
        train: {%3$s, zzzzzzzzzz: 1}
        run: {noise: {zzzzzzzzzz: 1}, zzzzzzzzzz: 1}
        output: {zzzzzzzzzz: 1}
        """
        .formatted(rows, search, train)
        // One strange key where one is missing would be taken for it misspelt.
        .replaceAll("zzzzzzzzzz: 1(?=[,}])", "$0, yyyyyyyyyy: 1");
  }

  private static final List<String> STRANGE =
      List.of(
          strange(
              "csv",
              "classes: 3",
              "method: noisy-gd",
              "strategy: scale-free, space: {logitNoise: {zzzzzzzzzz: 1}, steps: {zzzzzzzzzz: 1},"
                  + " zzzzzzzzzz: 1}, sweeps: [{zzzzzzzzzz: 1}], score: {zzzzzzzzzz: 1}, metric: {zzzzzzzzzz: 1}"),
          strange(
              "csv",
              "classes: 3",
              "method: noisy-gd",
              "strategy: scale-free, space: {steps: {auto: 9, zzzzzzzzzz: 1}}"),
          strange(
              "idx",
              "target: {zzzzzzzzzz: 1}",
              "method: dp-sgd",
              "strategy: linear-scaling, space: {learningRate: {zzzzzzzzzz: 1}, zzzzzzzzzz: 1},"
                  + " fit: {zzzzzzzzzz: 1}, sweeps: [{epsilon: 1, trials: 1}]"),
          strange(
              "libsvm", "classes: 3", "method: dp-adam", "strategy: fixed, space: {zzzzzzzzzz: 1}"),
          strange(
              "npy",
              "classes: 3",
              "method: adamix, pretraining: {zzzzzzzzzz: 1}",
              "strategy: fixed"),
          strange(
              "npy",
              "classes: 3",
              "method: dp-sgd, start: label-names, labelNames: {zzzzzzzzzz: 1}",
              "strategy: fixed"),
          strange(
              "npy",
              "classes: 3",
              "method: external, command: [x], mechanism: {type: gaussian, zzzzzzzzzz: 1}",
              "strategy: fixed, space: {learningRate: 1, steps: 1, settings: {a: {zzzzzzzzzz: 1}}}"),
          strange(
              "npz",
              "classes: 3",
              "method: fully-private",
              "strategy: linear-scaling, space: {radius: {zzzzzzzzzz: 1}}"),
          strange(
              "csv",
              "classes: 3",
              "method: noisy-gd",
              "strategy: grid, space: {logitNoise: 1, steps: 1}, points: {zzzzzzzzzz: 1}"),
          strange(
              "csv",
              "classes: 3",
              "method: noisy-gd",
              "strategy: random-stopping, space: {logitNoise: 1, steps: 1}, runs: {zzzzzzzzzz: 1}"),
          strange(
              "csv",
              "classes: 3",
              "method: noisy-gd",
              "strategy: random-stopping, space: {logitNoise: 1, steps: 1}, runs: {law: binomial, zzzzzzzzzz: 1}"),
          strange(
              "csv",
              "classes: 3",
              "method: noisy-gd",
              "strategy: subsampled-tuning, space: {logitNoise: 1, steps: 1}"),
          strange(
              "csv",
              "classes: 3",
              "method: noisy-gd",
              "strategy: successive-halving, space: {logitNoise: 1, steps: 1}"),
          strange(
              "csv",
              "classes: 3",
              "method: noisy-gd",
              "strategy: random, space: {logitNoise: 1, steps: 1, clipNorm: {zzzzzzzzzz: 1},"
                  + " clipQuantile: {zzzzzzzzzz: 1}, weightDecay: {zzzzzzzzzz: 1},"
                  + " projectionRadius: {zzzzzzzzzz: 1}, samplingRate: {zzzzzzzzzz: 1},"
                  + " batchSize: {zzzzzzzzzz: 1}}"),
          strange(
              "csv",
              "classes: 3",
              "method: noisy-gd",
              "strategy: random, space: {logitNoise: 1, steps: 1}"));

  /** The sweeps above, and one for each method. */
  private static Stream<String> strange() {
    return Stream.concat(
        STRANGE.stream(),
        TrainingMethods.names().stream()
            .map(name -> strange("csv", "classes: 3", "method: " + name, "strategy: fixed")));
  }

  /** Every key that a reader says it knows, by the section without its indices. */
  private static Map<String, Set<String>> known() {
    Map<String, Set<String>> known = new TreeMap<>();
    for (String text : strange().toList()) {
      for (String problem : Sweeps.problems(text)) {
        Matcher matcher = KNOWN.matcher(problem);
        if (matcher.matches()) {
          String section = matcher.group(1).replaceAll("\\[\\d+]", "[]");
          known
              .computeIfAbsent(section, path -> new TreeSet<>())
              .addAll(Arrays.asList(matcher.group(2).split(", ")));
        }
      }
    }
    return known;
  }

  private static JsonNode resolved(JsonNode node) {
    JsonNode at = node;
    while (at.has("$ref")) {
      at = TREE.at(at.path("$ref").asString().substring(1));
    }
    for (JsonNode choice : at.path("oneOf")) {
      if (resolved(choice).has("properties")) {
        return resolved(choice);
      }
    }
    return at;
  }

  private static JsonNode section(String path) {
    JsonNode at = TREE;
    for (String key : path.isEmpty() ? List.<String>of() : List.of(path.split("\\."))) {
      at = resolved(at.path("properties").path(key.replace("[]", "")));
      at = key.endsWith("[]") ? resolved(at.path("items")) : at;
    }
    return at;
  }

  @Test
  void everyKeyThatTheReadersKnow_isInTheSchema_andNoOther() {
    Map<String, Set<String>> known = known();
    assertThat(known.keySet())
        .contains("", "data", "data.private", "features[]", "search.space", "train", "run.noise");
    known.forEach(
        (path, keys) -> {
          // The readers of four kinds of rows are one, and so are their schemas.
          Set<String> all = new TreeSet<>(keys);
          if (path.matches("data\\.(private|public|validation|test)")) {
            List.of("private", "public", "validation", "test")
                .forEach(part -> all.addAll(known.getOrDefault("data." + part, Set.of())));
          }
          Set<String> described = new TreeSet<>();
          section(path).path("properties").propertyNames().forEach(described::add);
          assertThat(described).as("keys of '%s'", path).isEqualTo(all);
          assertThat(section(path).path("additionalProperties").asBoolean(true))
              .as("additionalProperties of '%s'", path)
              .isFalse();
        });
  }

  /** A section of the schema that no strange sweep reached would be held against nothing. */
  @Test
  void everySectionOfTheSchema_wasReached() {
    Set<String> sections = new TreeSet<>();
    collect(TREE, "", sections);
    assertThat(known().keySet()).containsAll(sections);
  }

  private static void collect(JsonNode node, String path, Set<String> sections) {
    JsonNode at = resolved(node);
    if (at.has("items")) {
      collect(at.path("items"), path + "[]", sections);
    }
    if (at.has("properties")) {
      sections.add(path);
      at.path("properties")
          .propertyNames()
          .forEach(
              key ->
                  collect(
                      at.path("properties").path(key),
                      path.isEmpty() ? key : path + "." + key,
                      sections));
    }
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
            settings.merge(key, described(setting.values()), SweepSchemaTest::either);
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

  @Test
  void settingsOfColumns_standInTheSchemaAsTheyDescribeThemselves() {
    Map<String, ObjectNode> settings = new LinkedHashMap<>();
    Map<String, Set<String>> meanings = new LinkedHashMap<>();
    settings.put("type", described(ColumnKinds.TYPE.values()));
    meanings.put("type", new LinkedHashSet<>(List.of(ColumnKinds.TYPE.meaning())));
    for (ColumnKind kind : ColumnKinds.ALL) {
      for (Setting<?> setting : kind.settings()) {
        settings.merge(setting.key(), described(setting.values()), SweepSchemaTest::either);
        meanings
            .computeIfAbsent(setting.key(), k -> new LinkedHashSet<>())
            .add(kind.name() + ": " + setting.meaning());
      }
    }
    settings.forEach((key, node) -> node.put("description", String.join("; ", meanings.get(key))));
    String lines =
        settings.entrySet().stream()
            .map(e -> "        \"%s\": %s".formatted(e.getKey(), e.getValue()))
            .collect(Collectors.joining(",\n"));
    assertThat(TREE.at("/$defs/column/properties"))
        .as(lines)
        .isEqualTo(MAPPER.readTree(MAPPER.writeValueAsString(settings)));
    assertThat(TREE.at("/$defs/column/additionalProperties").asBoolean(true)).isFalse();
  }

  /** What a card has beside the sections of data is what its reader knows. */
  @Test
  void everyKeyOfACard_isInTheSchema() {
    Set<String> described = new TreeSet<>();
    TREE.at("/$defs/card/properties").propertyNames().forEach(described::add);
    assertThatThrownBy(
            () -> DataCardReader.read("card", "version: 1\nzzzzzzzzzz: 1\n", Sweeps.CONTEXT))
        .isInstanceOfSatisfying(
            InvalidSweepException.class,
            e ->
                assertThat(e.problems())
                    .anySatisfy(
                        problem ->
                            assertThat(
                                    Set.of(
                                        problem
                                            .text()
                                            .replaceFirst(".*known here: ", "")
                                            .split(", ")))
                                .isEqualTo(described)));
  }

  private static ObjectNode described(Setting.Values<?> values) {
    ObjectNode node = MAPPER.createObjectNode();
    if (values instanceof Setting.Values.Numbers numbers) {
      NumberRule rule = numbers.rule();
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

  @Test
  void settingsOfMethodsAndLosses_standInTheSchemaAsTheyDescribeThemselves() {
    Map<String, ObjectNode> settings = settings();
    ObjectNode properties = (ObjectNode) section("train").path("properties").deepCopy();
    String lines =
        settings.entrySet().stream()
            .map(e -> "        \"%s\": %s".formatted(e.getKey(), e.getValue()))
            .collect(Collectors.joining(",\n"));
    assertThat(words(properties.path("method"))).isEqualTo(TrainingMethods.names());
    assertThat(words(properties.path("loss")))
        .isEqualTo(Loss.all().stream().map(LossType::key).toList());
    properties.remove(List.of("method", "loss", "classWeights"));
    assertThat(properties)
        .as(lines)
        .isEqualTo(MAPPER.readTree(MAPPER.writeValueAsString(settings)));
  }

  private static List<String> words(JsonNode property) {
    return property.path("enum").valueStream().map(JsonNode::asString).toList();
  }

  private static List<Error> errors(String yaml) {
    Object loaded = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return SCHEMA.validate(MAPPER.valueToTree(loaded));
  }

  static Stream<Path> sweeps() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("sweeps"))) {
      return new ArrayList<>(files.filter(f -> f.toString().endsWith(".yaml")).toList()).stream();
    }
  }

  @ParameterizedTest
  @MethodSource("sweeps")
  void everySweepToCopyFrom_isValid(Path sweep) throws IOException {
    assertThat(errors(Files.readString(sweep))).isEmpty();
  }

  @Test
  void theSweepsOfTheReadersTests_areValid() {
    assertThat(errors(Sweeps.LINEAR.replace("[no, yes]", "[a, b]"))).isEmpty();
    assertThat(errors(Sweeps.SCALE_FREE)).isEmpty();
    assertThat(errors(Sweeps.FIXED)).isEmpty();
  }

  @Test
  void whatTheReadersRefuse_theSchemaRefusesWhereItCan() {
    for (String wrong :
        List.of(
            Sweeps.FIXED.replace("version: 1", "version: 2"),
            Sweeps.FIXED.replace("name: plain", "name: Plain"),
            Sweeps.FIXED.replace("steps: 40", "steps: 0"),
            Sweeps.FIXED.replace("steps: 40", "steps: atuo"),
            Sweeps.FIXED.replace("steps: 40", "steps: {auto: 0}"),
            Sweeps.FIXED.replace("strategy: fixed", "strategy: fixd"),
            Sweeps.FIXED.replace("epsilon: 1", "epsilon: none"),
            Sweeps.FIXED + "train: {method: pat}\n",
            Sweeps.FIXED + "train: {method: agd, growth: 0}\n",
            Sweeps.FIXED + "train: {method: dp-zo, smoothing: 0}\n",
            Sweeps.FIXED + "train: {momentum: 1}\n",
            Sweeps.FIXED + "train: {classWeights: [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]}\n",
            Sweeps.FIXED + "unknown: 1\n")) {
      assertThat(Sweeps.problems(wrong)).isNotEmpty();
      assertThat(errors(wrong)).as(wrong).isNotEmpty();
    }
  }

  @Test
  void theSchemaOfTheBuild_isTheOneOfTheDocs() throws IOException {
    assertThat(SweepSchema.text())
        .isEqualTo(Files.readString(ROOT.resolve("docs/sweep.schema.json")));
  }
}
