package io.mutune.orchestrator.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import io.mutune.trainer.method.catalogue.TrainingMethods;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
  private static String strange(String format, String label, String method, String search) {
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
        search: {strategy: %2$s, zzzzzzzzzz: 1}
        train: {method: %3$s, zzzzzzzzzz: 1}
        run: {noise: {zzzzzzzzzz: 1}, zzzzzzzzzz: 1}
        output: {zzzzzzzzzz: 1}
        """
        .formatted(rows, search, method)
        // One strange key where one is missing would be taken for it misspelt.
        .replaceAll("zzzzzzzzzz: 1(?=[,}])", "$0, yyyyyyyyyy: 1");
  }

  /** The format, the label, the method and the search of each; a question mark is a strange key. */
  private static final List<String> STRANGE =
      """
      csv | classes: 3 | noisy-gd | scale-free, space: {logitNoise: {?}, steps: {?}, ?}, \
          sweeps: [{?}], score: {?}, metric: {?}
      csv | classes: 3 | noisy-gd | scale-free, space: {steps: {auto: 9, ?}}
      idx | target: {?} | dp-sgd | linear-scaling, space: {learningRate: {?}, ?}, fit: {?}, \
          sweeps: [{epsilon: 1, trials: 1}]
      libsvm | classes: 3 | dp-adam | fixed, space: {?}
      npy | classes: 3 | adamix, pretraining: {?} | fixed
      npy | classes: 3 | dp-sgd, start: label-names, labelNames: {?} | fixed
      npy | classes: 3 | external, command: [x], mechanism: {type: gaussian, ?} | fixed, \
          space: {learningRate: 1, steps: 1, settings: {a: {?}}}
      npz | classes: 3 | fully-private | linear-scaling, space: {radius: {?}}
      csv | classes: 3 | noisy-gd | grid, space: {logitNoise: 1, steps: 1}, points: {?}
      csv | classes: 3 | noisy-gd | random-stopping, space: {logitNoise: 1, steps: 1}, runs: {?}
      csv | classes: 3 | noisy-gd | random-stopping, space: {logitNoise: 1, steps: 1}, \
          runs: {law: binomial, ?}
      csv | classes: 3 | noisy-gd | subsampled-tuning, space: {logitNoise: 1, steps: 1}
      csv | classes: 3 | noisy-gd | successive-halving, space: {logitNoise: 1, steps: 1}
      csv | classes: 3 | noisy-gd | random, space: {logitNoise: 1, steps: 1, clipNorm: {?}, \
          clipQuantile: {?}, weightDecay: {?}, projectionRadius: {?}, samplingRate: {?}, \
          batchSize: {?}}
      csv | classes: 3 | noisy-gd | random, space: {logitNoise: 1, steps: 1}
      """
          .lines()
          .map(line -> line.replace("?", "zzzzzzzzzz: 1").split(" +\\| +"))
          .map(part -> strange(part[0], part[1], part[2], part[3]))
          .toList();

  /** The sweeps above, and one for each method. */
  private static Stream<String> strange() {
    return Stream.concat(
        STRANGE.stream(),
        TrainingMethods.names().stream().map(name -> strange("csv", "classes: 3", name, "fixed")));
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
