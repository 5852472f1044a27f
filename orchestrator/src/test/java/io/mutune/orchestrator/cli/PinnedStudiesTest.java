package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a study says, held against what it said before: the plan of every sweep in {@code sweeps/},
 * and plan, statement and result of one study for each kind of method and strategy. A change in
 * what is pinned has to be meant: {@code -Dmutune.pin=write} writes the files anew, and the
 * difference is read in review. A file has only what differs from the nearest of those before it
 * ({@link PinnedTexts}), in the order of the tests.
 *
 * <p>The studies are seeded. Numbers that follow from rows differ in their last digits between
 * machines, whose vectors have other widths, so documents that hold such numbers are pinned by
 * their shape: every digit sequence is replaced by {@code #}. Plans and statements are pinned byte
 * for byte but for the study's name, times, versions and hashes.
 */
@Timeout(300)
class PinnedStudiesTest {
  private static final Path ROOT = Path.of(System.getProperty("mutune.root", "."));
  private static final PinnedTexts PINNED =
      new PinnedTexts(
          ROOT.resolve("orchestrator/src/test/resources/io/mutune/orchestrator/pinned"));
  private static final String FIXED = "strategy: fixed, space: {logitNoise: 1, steps: 12}";
  private static final String RATE = "strategy: fixed, space: {learningRate: 1, steps: 12}";
  private static final String NOTHING = "strategy: fixed";
  private static final String SCORE = ", score: {on: private, epsilon: 0.1}";
  private static final String NOISE = "logitNoise: {min: 0.3, max: 3}";

  @TempDir Path folder;

  private record Kind(String train, String search, String adjacency, String data, String budget) {}

  private static Kind kind(String train, String search) {
    return new Kind(train, search, "add-remove", "", "");
  }

  private static Kind replaced(String train, String search) {
    return new Kind(train, search, "replace-one", "", "");
  }

  private static Kind shown(String train, String search, String adjacency) {
    return new Kind(train, search, adjacency, "\n  public: {path: public.csv, rows: 40}", "");
  }

  private static Map<String, Kind> kinds() {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    String gd = "method: noisy-gd";
    kinds.put("noisy-gd", kind(gd, FIXED));
    kinds.put("noisy-gd-replace-one", replaced(gd + ", momentum: 0, freeStep: false", FIXED));
    kinds.put("noisy-gd-logistic", kind(gd + ", loss: logistic", FIXED));
    kinds.put("noisy-gd-hinge", kind(gd + ", loss: huber-hinge", FIXED));
    kinds.put(
        "fully-private",
        kind("method: fully-private, weightDecay: 1, averaging: true, schedule: inverse", RATE));
    kinds.put("adamix", shown("method: adamix", FIXED, "add-remove"));
    kinds.put("dp-sgd", kind("method: dp-sgd, samplingRate: 0.5", FIXED));
    kinds.put("dp-sgd-all-rows", kind("method: dp-sgd, samplingRate: 1", FIXED));
    kinds.put("dp-adam", kind("method: dp-adam, batchSize: 200", RATE));
    kinds.put(
        "dp-adam-wosm",
        kind("method: dp-adam-wosm, samplingRate: 1", "strategy: fixed, space: {steps: 12}"));
    kinds.put("sgd-adv", replaced("method: sgd-adv, samplingRate: 1, weightDecay: 0.01", RATE));
    kinds.put("dp-zo", kind("method: dp-zo, loss: logistic, smoothing: 0.01", RATE));
    kinds.put(
        "ppsgd", shown("method: ppsgd, learningRate: 0.5, batchSize: 20", NOTHING, "replace-one"));
    kinds.put("ppgd", shown("method: ppgd, learningRate: 1, reuse: 0.1", NOTHING, "add-remove"));
    kinds.put("agd", kind("method: agd, loss: logistic", NOTHING));
    kinds.put(
        "output-perturbation",
        replaced("method: output-perturbation, weightDecay: 0.1, loss: huber-hinge", NOTHING));
    kinds.put(
        "output-perturbation-exponential",
        replaced(
            "method: output-perturbation, weightDecay: 0.1, loss: logistic, noise: exponential",
            NOTHING));
    kinds.put(
        "objective-perturbation",
        kind("method: objective-perturbation, weightDecay: 0.1, loss: logistic", NOTHING));
    kinds.put("pnsgd", replaced("method: pnsgd, learningRate: 0.01, loss: logistic", NOTHING));
    kinds.put(
        "pate",
        shown(
            "method: pate, teachers: 4, threshold: 2, answers: 30, weightDecay: 0.01",
            NOTHING,
            "add-remove"));
    kinds.put("only-public", shown("method: only-public", NOTHING, "add-remove"));
    kinds.put("not-private", kind("method: not-private", NOTHING));
    kinds.put(
        "scale-free",
        kind(gd, "strategy: scale-free, sweeps: [{epsilon: 0.3, trials: 3}]" + SCORE));
    kinds.put(
        "releases",
        new Kind(
            gd,
            "strategy: scale-free, sweeps: [{epsilon: 0.3, trials: 3}]" + SCORE,
            "add-remove",
            "",
            ", releases: [0.5, 1]"));
    kinds.put(
        "linear-scaling",
        kind(
            gd,
            "strategy: linear-scaling, space: {learningRate: {min: 0.1, max: 3}, steps: {min: 5,"
                + " max: 20}}, sweeps: [{epsilon: 0.2, trials: 2}, {epsilon: 0.4, trials: 2}]"
                + SCORE));
    kinds.put(
        "random",
        kind(gd, "strategy: random, trials: 3, space: {" + NOISE + ", steps: 9}" + SCORE));
    kinds.put(
        "grid",
        kind(gd, "strategy: grid, points: {values: 3}, space: {" + NOISE + ", steps: 9}" + SCORE));
    kinds.put(
        "grid-sampled",
        kind(
            "method: dp-sgd, samplingRate: 0.5",
            "strategy: grid, points: {values: 2}, space: {" + NOISE + ", steps: 9}" + SCORE));
    kinds.put(
        "successive-halving",
        kind(
            gd,
            "strategy: successive-halving, points: {values: 4}, space: {"
                + NOISE
                + ", steps: 9}"
                + SCORE));
    kinds.put(
        "random-stopping",
        kind(
            gd,
            "strategy: random-stopping, runs: {mean: 3}, space: {"
                + NOISE
                + ", steps: 9}"
                + SCORE));
    kinds.put(
        "subsampled-tuning",
        kind(
            gd,
            "strategy: subsampled-tuning, epsilon: 1, sampleRate: 0.5, runs: {mean: 3}, space: {"
                + NOISE
                + ", steps: 9}"
                + SCORE));
    kinds.put(
        "oracle",
        kind(
            gd,
            "strategy: oracle, space: {learningRate: {min: 0.1, max: 9}, steps: 9}, score: {on:"
                + " private, uncharged: true}"));
    kinds.put(
        "public-scores",
        new Kind(
            gd,
            "strategy: scale-free, sweeps: [{epsilon: 0.3, trials: 3}], score: {on: validation}",
            "add-remove",
            "\n  validation: {path: public.csv}",
            ""));
    kinds.put(
        "private-validation",
        new Kind(
            gd,
            "strategy: scale-free, sweeps: [{epsilon: 0.3, trials: 3}]" + SCORE,
            "add-remove",
            "\n  validation: {path: public.csv, private: true, rows: 40}",
            ""));
    return kinds;
  }

  static Stream<Arguments> kindsOfStudies() {
    return kinds().entrySet().stream().map(kind -> arguments(kind.getKey(), kind.getValue()));
  }

  static Stream<String> sweeps() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("sweeps"))) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".yaml"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("sweeps")
  void planOfASweep_isAsPinned(String name) throws IOException {
    Path file = ROOT.resolve("sweeps").resolve(name);
    SweepContext context =
        new SweepContext(
            Path.of("/sweeps"),
            Path.of("/work"),
            Map.of("MUTUNE_DATA", "/data", "HOME", "/home/user"));
    String text = Files.readString(file);
    StudyPlan plan = StudyPlan.of(SweepReader.read(name, text, context));
    check(pinOf(name), Json.write(PlanDocument.of(plan)), sweeps().map(PinnedStudiesTest::pinOf));
  }

  @Test
  void everyPin_isOfASweepOrAStudy() throws IOException {
    Stream<String> names =
        Stream.concat(sweeps().map(PinnedStudiesTest::pinOf), kinds().keySet().stream());
    assertThat(PINNED.folder().toFile().list())
        .isSubsetOf(names.map(name -> name + ".txt").toList());
  }

  @ParameterizedTest
  @MethodSource("kindsOfStudies")
  void documentsOfAStudy_areAsPinned(String name, Kind kind) throws Exception {
    SmallSweep.writeRows(folder.resolve("private.csv"), 400, 5, 1);
    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 5, 2);
    SmallSweep.writeRows(folder.resolve("public.csv"), 40, 5, 3);
    boolean twoClasses = kind.train.contains("logistic") || kind.train.contains("hinge");
    if (twoClasses) {
      for (String part : new String[] {"private.csv", "test.csv", "public.csv"}) {
        Path file = folder.resolve(part);
        Files.writeString(file, Files.readString(file).replaceAll(",2\n", ",1\n"));
      }
    }
    Path sweep =
        Files.writeString(
            folder.resolve("sweep.yaml"),
            """
            version: 1
            name: %s
            data:
              private: {path: private.csv, format: csv, features: 5, classes: %d, rows: 400, declared: simulated}
              test: {path: test.csv}%s
            features:
              - {type: scale, min: 0, max: 1}
              - {type: l2-normalize}
            budget: {epsilon: 2, delta: 1.0e-5, adjacency: %s%s}
            search: {%s}
            train: {%s}
            run: {parallelTrials: 1%s}
            """
                .formatted(
                    name,
                    twoClasses ? 2 : 3,
                    kind.data,
                    kind.adjacency,
                    kind.budget,
                    kind.search,
                    kind.train,
                    kind.data.contains("private: true") ? "" : ", noise: {seed: 11}"));
    String runs = folder.resolve("runs").toString();
    CommandRun plan = CommandRun.of("plan", sweep.toString(), "--format", "json").succeeded();
    Path study = CommandRun.of("run", sweep.toString(), "--output", runs).succeeded().folder();
    Documents document =
        file ->
            Files.readString(study.resolve(file))
                .replace(String.valueOf(study.getFileName()), "STUDY")
                .replace(folder.toString(), "FOLDER");
    StringBuilder text = new StringBuilder(section("plan", plan.out()));
    for (String file : new String[] {"statement.json", "statement.txt"}) {
      text.append(section(file, named(document.of(file))));
    }
    for (String file : new String[] {"result.json", "trials.csv"}) {
      text.append(section(file, shape(named(document.of(file)))));
    }
    check(name, text.toString(), kinds().keySet().stream());
  }

  /** A study's file by its name, without the names of this run. */
  @FunctionalInterface
  private interface Documents {
    String of(String file) throws IOException;
  }

  private static String section(String name, String text) {
    return "== " + name + "\n" + text.strip() + "\n";
  }

  /** Versions, hashes and times, by the form that they have in documents. */
  private static final Map<Pattern, String> NAMED =
      Map.of(
          Pattern.compile("\\b([0-9a-f]{64}|[0-9a-f]{32})\\b"), "HASH",
          Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z"), "TIME",
          Pattern.compile("\"(study|dataSet)\"\\s*:\\s*\"[0-9a-f]+\""), "\"$1\" : ID",
          Pattern.compile("\"seconds\"\\s*:\\s*[0-9.E-]+"), "\"seconds\" : SECONDS");

  /** Without digits, and without what tells of the machine. */
  private static String shape(String text) {
    return text.replaceAll("(?s)\"processes\"\\s*:\\s*\\[.*?]", "\"processes\" : PROCESSES")
        .replaceAll("(?<![A-Za-z])-?\\d+(\\.\\d+)?(E-?\\d+)?", "#");
  }

  private static String named(String said) {
    String text = said;
    for (Map.Entry<Pattern, String> named : NAMED.entrySet()) {
      text = named.getKey().matcher(text).replaceAll(named.getValue());
    }
    return text;
  }

  private static String pinOf(String sweep) {
    return "sweep-" + sweep.replace(".yaml", "");
  }

  /** Holds a text against its pin, whose base is one of those before it among the names. */
  private static void check(String name, String said, Stream<String> names) throws IOException {
    String text = said.strip() + "\n";
    if ("write".equals(System.getProperty("mutune.pin"))) {
      PINNED.write(name, text, names.takeWhile(other -> !other.equals(name)).toList());
    }
    String pinned = PINNED.read(name);
    assertThat(text)
        .withFailMessage(() -> name + ":\n" + PinnedTexts.compare(pinned, text))
        .isEqualTo(pinned);
  }
}
