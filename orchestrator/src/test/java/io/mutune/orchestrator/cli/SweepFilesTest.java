package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.testing.Effort;
import io.mutune.testing.SharedFolder;
import io.mutune.testing.Thorough;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every sweep that people are given to copy from runs. */
@Timeout(600)
class SweepFilesTest {
  private static final Path SWEEPS =
      Path.of(System.getProperty("mutune.root", ".")).resolve("sweeps");

  @TempDir Path folder;

  /**
   * ImageStudiesTest writes the pictures of images.yaml, DataSetCommandsTest reads the cards,
   * mutune reproduce the claims, PinnedStudiesTest plans cifar-scattering.yaml, whose pictures are
   * not here, PythonExamplesTest runs external.yaml where Python has NumPy, and TextStudiesTest of
   * trainer/encoder runs text.yaml.
   */
  @Test
  void everySweepOfTheFolder_hasItsTestHere() throws IOException {
    try (var files = Files.list(SWEEPS)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .containsExactlyInAnyOrder(
              """
              quickstart.yaml images.yaml cards claims linear-scaling.yaml mnist.yaml
              several-models.yaml mnist-scattering.yaml fashion-scattering.yaml
              cifar-scattering.yaml adult.yaml adamix.yaml dp-sgd.yaml ppsgd.yaml
              objective-perturbation.yaml pate.yaml private-mean.yaml rare.yaml compare-digits.yaml
              compare-adult.yaml compare-magic.yaml compare-mnist.yaml compare-mnist-hog.yaml
              compare-mnist-scattering.yaml compare-pendigits.yaml compare-spambase.yaml
              compare-bank.yaml compare-forest.yaml compare-letter.yaml compare-pulsars.yaml
              compare-diamonds.yaml compare-avila.yaml compare-waveform.yaml attack.yaml
              attack-account.yaml external.yaml external-mnist.yaml external-torch.yaml text.yaml
              data
              """
                  .split("\\s+"));
    }
  }

  @Test
  void quickstart_runsAsItIs_andItsStatementKeepsItsBudget() throws Exception {
    String sweep = SWEEPS.resolve("quickstart.yaml").toString();
    CommandRun run = CommandRun.of("run", sweep, "--output", folder.toString()).succeeded();
    requireWithinBudget(run, 3);
    CommandRun.of("audit", "--output", folder.toString()).succeeded();
  }

  @Test
  void linearScaling_runsAsItIs() throws Exception {
    String sweep = SWEEPS.resolve("linear-scaling.yaml").toString();
    CommandRun run = CommandRun.of("run", sweep, "--output", folder.toString()).succeeded();
    requireWithinBudget(run, 3);
  }

  /** Seeded, so that this passes or fails for good: no chance is left. */
  @Test
  void quickstart_isRightNineTimesInTen_overSeeds() throws Exception {
    double sum = 0;
    int seeds = Effort.of(3, 10);
    for (int seed = 1; seed <= seeds; seed++) {
      Path sweep = copy("quickstart.yaml", "data/digits", SWEEPS.resolve("data/digits").toString());
      Files.writeString(
          sweep, Files.readString(sweep) + "\nrun: {noise: {seed: %d}}\n".formatted(seed));
      CommandRun run =
          CommandRun.of("run", sweep.toString(), "--output", folder.toString()).succeeded();
      sum += testAccuracy(run);
    }
    System.out.println("SweepFilesTest: quickstart over the seeds " + sum / seeds);
    assertThat(sum / seeds).isGreaterThanOrEqualTo(0.90);
  }

  @Test
  void adaMix_runsAsItIs() throws Exception {
    String sweep = SWEEPS.resolve("adamix.yaml").toString();
    CommandRun run = CommandRun.of("run", sweep, "--output", folder.toString()).succeeded();
    requireWithinBudget(run, 1);
    assertThat(Files.readString(run.folder().resolve("statement.txt")))
        .contains("rows of data.public and data.test: the sweep calls them public");
  }

  @Test
  void dpSgd_runsAsItIs_andItsStatementNamesItsAccountant() throws Exception {
    String sweep = SWEEPS.resolve("dp-sgd.yaml").toString();
    CommandRun run = CommandRun.of("run", sweep, "--output", folder.toString()).succeeded();
    requireWithinBudget(run, 3);
    var statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    assertThat(statement.path("accountant").asString()).isEqualTo("pld");
    assertThat(statement.path("kind").asString()).isEqualTo("fixed-plan");
    assertThat(statement.has("mu")).isFalse();
    CommandRun.of("audit", "--output", folder.toString()).succeeded();
  }

  @Test
  void digits_areCompared() {
    String sweep = SWEEPS.resolve("compare-digits.yaml").toString();
    String out = folder.resolve("compare.json").toString();
    CommandRun.of("compare", sweep, "--repeat", "1", "--output", out).succeeded();
    assertThat(Path.of(out)).exists();
  }

  /** A sound study: a bound passes the guarantee with a probability far below one in a million. */
  @Test
  void digits_areAttacked_byEachOfTheCommands() throws Exception {
    String sweep = SWEEPS.resolve("attack.yaml").toString();
    String out = folder.resolve("attack.json").toString();
    assertThat(
            CommandRun.of(
                    "attack",
                    "canary",
                    sweep,
                    "--canaries",
                    "600",
                    "--guesses",
                    "120",
                    "--confidence",
                    "0.999999",
                    "--output",
                    out)
                .succeeded()
                .out())
        .contains("epsilon at most 8", "a lower bound, no guarantee");
    CommandRun.of("attack", "membership", sweep, "--references", "4", "--output", out).succeeded();
    CommandRun.of("attack", "neighbours", sweep, "--runs", "0", "--output", out).succeeded();
  }

  @Test
  void attackAccount_runsAsItIs_onceThereIsAnAccount() throws Exception {
    String sweep = SWEEPS.resolve("attack-account.yaml").toString();
    String runs = folder.toString();
    CommandRun.of("account", "create", "digits", "--mu", "3", "--output", runs).succeeded();
    CommandRun audit =
        CommandRun.of(
            "attack",
            "canary",
            sweep,
            "--canaries",
            "300",
            "--confidence",
            "0.999999",
            "--runs",
            runs,
            "--output",
            folder.resolve("attack.json").toString());
    assertThat(audit.succeeded().out()).contains("charged to the account 'digits'");
    requireWithinBudget(CommandRun.of("run", sweep, "--output", runs).succeeded(), 4);
    CommandRun.of("audit", "--output", runs).succeeded();
  }

  /** The comparisons of larger data take minutes; their plans read no row. */
  @ParameterizedTest
  @ValueSource(strings = {"adult", "magic", "mnist", "mnist-hog", "pendigits", "spambase", "bank"})
  void theOtherComparisons_havePlans(String name) throws Exception {
    Path sweep = SWEEPS.resolve("compare-" + name + ".yaml");
    try (MutuneProcess process = MutuneProcess.startWithData(folder, "plan", sweep.toString())) {
      assertThat(process.end().succeeded().out()).contains("split: ");
    }
  }

  @Test
  @Thorough
  void adult_runs() throws Exception {
    Path data = SharedFolder.file("data/a9a.libsvm.gz").resolveSibling("");
    requireWithinBudget(runWith(data, fewerOfAdult("adult.yaml")), 1);
  }

  static Stream<String> classics() {
    return Effort.oneIn(3, Stream.of("objective-perturbation.yaml", "ppsgd.yaml", "pate.yaml"));
  }

  /** Two or three classics; a constant answer is right for 0.76 of these rows. */
  @ParameterizedTest
  @MethodSource("classics")
  void classics_run(String name) throws Exception {
    Path data = SharedFolder.file("data/a9a.libsvm.gz").resolveSibling("");
    CommandRun run = runWith(data, fewerOfAdult(name));
    requireWithinBudget(run, 1);
    var statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    assertThat(statement.path("charges").size()).isEqualTo(1);
    CommandRun.of("audit", "--output", folder.toString()).succeeded();
  }

  @Test
  void privateMean_runsAsItIs_andChargesTheMeanAndItsRounding() throws Exception {
    String sweep = SWEEPS.resolve("private-mean.yaml").toString();
    CommandRun run = CommandRun.of("run", sweep, "--output", folder.toString()).succeeded();
    requireWithinBudget(run, 2);
    var charges =
        Json.read(Files.readString(run.folder().resolve("statement.json"))).path("charges");
    assertThat(charges.get(0).path("what").asString()).isEqualTo("private mean");
    charges.forEach(
        charge ->
            assertThat(charge.path("parameters").path("sensitivity").asDouble())
                .isGreaterThan(1)
                .isLessThan(1 + 1e-6));
    CommandRun.of("audit", "--output", folder.toString()).succeeded();
  }

  /** With 20000 rows and 10 steps a run instead of 200: all of them take minutes on two cores. */
  @Test
  @Thorough
  void mnist_runsWithFewerSteps() throws Exception {
    Path data = SharedFolder.file("data/mnist-train-images-idx3-ubyte.gz").resolveSibling("");
    Path sweep = copy("mnist.yaml", "steps: 200", "steps: 10");
    Files.writeString(
        sweep,
        Files.readString(sweep)
            .replace("rows: 60000", "rows: 20000\n    range: {first: 1, last: 20000}"));
    requireWithinBudget(runWith(data, sweep), 1);
  }

  /** With 2000 rows, 500 test rows and 10 steps a run at most. */
  @Test
  @Thorough
  void severalModels_runWithFewerRowsAndSteps() throws Exception {
    Path data = SharedFolder.file("data/mnist-train-images-idx3-ubyte.gz").resolveSibling("");
    Path sweep = copy("several-models.yaml", "max: 100", "max: 10");
    Files.writeString(sweep, fewer(sweep));
    CommandRun run = runWith(data, sweep);
    requireWithinBudget(run, 2);
    assertThat(run.folder().resolve("release-4/model.npz")).exists();
    assertThat(run.folder().resolve("figures/releases.svg")).exists();
  }

  /** With 2000 rows, 500 test rows and 10 steps: all of them take minutes on two cores. */
  @Test
  @Thorough
  void mnistScattering_runsWithFewerRowsAndSteps() throws Exception {
    Path data = SharedFolder.file("data/mnist-train-images-idx3-ubyte.gz").resolveSibling("");
    Path sweep = copy("mnist-scattering.yaml", "steps: 1000", "steps: 10");
    Files.writeString(sweep, fewer(sweep));
    requireWithinBudget(runWith(data, sweep), 2.93);
  }

  /**
   * With as few, and the digits of MNIST, which have the same form, under the names of the files.
   */
  @Test
  @Thorough
  void fashionScattering_runsWithFewerRowsAndSteps() throws Exception {
    Path data = Files.createDirectory(folder.resolve("digits"));
    for (String part : List.of("train", "t10k")) {
      for (String kind : List.of("images-idx3", "labels-idx1")) {
        String file = "%s-%s-ubyte.gz".formatted(part, kind);
        Files.copy(SharedFolder.file("data/mnist-" + file), data.resolve(file));
      }
    }
    Path sweep = copy("fashion-scattering.yaml", "scale: log}", "scale: log}\n    steps: 10");
    Files.writeString(
        sweep, fewer(sweep).replace("${HOME}/.mutune-features", folder.resolve("kept").toString()));
    requireWithinBudget(runWith(data, sweep), 2.7);
    assertThat(folder.resolve("kept")).isNotEmptyDirectory();
  }

  /** As it is before a release, and else with the first 12000 of its private rows. */
  private Path fewerOfAdult(String name) throws IOException {
    Path sweep = SWEEPS.resolve(name);
    String text = Files.readString(sweep);
    String fewer =
        text.replaceAll("rows: 2[46]000", "rows: 12000")
            .replaceAll("\\{first: 1, last: 2[46]000}", "{first: 1, last: 12000}");
    assertThat(fewer).isNotEqualTo(text).contains("first: 1, last: 12000");
    return Effort.isThorough() ? sweep : Files.writeString(folder.resolve(name), fewer);
  }

  private static String fewer(Path sweep) throws IOException {
    return Files.readString(sweep)
        .replace("rows: 60000", "rows: 2000\n    range: {first: 1, last: 2000}")
        .replace("  test:\n", "  test:\n    range: {first: 1, last: 500}\n");
  }

  /** With 30 steps a run instead of 100, and seeded: what differs is the metric alone. */
  @Test
  void rare_tunedForBalancedAccuracy_beatsItselfTunedForAccuracy() throws Exception {
    Path rows = SharedFolder.file("data/a9a.libsvm.gz");
    int[] rich = {0};
    List<String> kept = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(rows)), StandardCharsets.UTF_8))) {
      lines.lines().filter(line -> line.startsWith("-1") || ++rich[0] % 10 == 0).forEach(kept::add);
    }
    Files.write(folder.resolve("rare.libsvm"), kept);
    String text =
        Files.readString(SWEEPS.resolve("rare.yaml"))
                .replace("${MUTUNE_DATA}/", "")
                .replace("steps: 100", "steps: 30")
            + "run: {noise: {seed: 1}}\n";
    assertThat(balancedAccuracy(text))
        .isGreaterThan(
            0.1 + balancedAccuracy(text.replace("metric: balanced-accuracy", "metric: accuracy")));
  }

  private double balancedAccuracy(String text) throws IOException {
    Path sweep = Files.writeString(folder.resolve("sweep.yaml"), text);
    CommandRun run =
        CommandRun.of("run", sweep.toString(), "--output", folder.toString()).succeeded();
    var statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    assertThat(statement.path("epsilon").asDouble()).isLessThanOrEqualTo(1);
    return Json.read(Files.readString(run.folder().resolve("result.json")))
        .path("test")
        .path("balancedAccuracy")
        .asDouble();
  }

  private CommandRun runWith(Path data, Path sweep) throws Exception {
    try (MutuneProcess process =
        MutuneProcess.startWithData(data, "run", sweep.toString(), "--output", folder.toString())) {
      return process.end().succeeded();
    }
  }

  private Path copy(String name, String was, String is) throws IOException {
    String text = Files.readString(SWEEPS.resolve(name));
    assertThat(text).contains(was);
    return Files.writeString(folder.resolve(name), text.replace(was, is));
  }

  private static double testAccuracy(CommandRun run) throws IOException {
    return Json.read(Files.readString(run.folder().resolve("result.json")))
        .path("testAccuracy")
        .asDouble();
  }

  private static void requireWithinBudget(CommandRun run, double epsilon) throws IOException {
    var statement = Json.read(Files.readString(run.folder().resolve("statement.json")));
    assertThat(statement.path("guarantee").asString()).isEqualTo("holds");
    assertThat(statement.path("epsilon").asDouble())
        .isGreaterThan(0.99 * epsilon)
        .isLessThanOrEqualTo(epsilon);
    assertThat(testAccuracy(run)).isBetween(0.5, 1.0);
  }
}
