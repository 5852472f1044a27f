package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mutune.orchestrator.report.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Studies that a program of somebody else's trains: the trainer's own stub, which shares no code.
 */
@Timeout(300)
class ExternalStudiesTest {
  private static final Path ROOT = Path.of(System.getProperty("mutune.root"));
  private static final String STUB = "io/mutune/trainer/method/StubTrainer";

  /** What the stub says on standard error, and says wrong. */
  private static final String PRIVATE = "PRIVATE-WORDS";

  @TempDir static Path classes;
  @TempDir Path folder;

  @BeforeAll
  static void compileTheStub() {
    Path source = ROOT.resolve("trainer/src/test/java").resolve(STUB + ".java");
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString());
    assertThat(status).isZero();
  }

  private static String train(String manner, String more) {
    return "{method: external, descends: true, silence: 60, command: [%s, -XX:TieredStopAtLevel=1, -cp, %s, %s, %s]%s}"
        .formatted(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            classes,
            STUB.replace('/', '.'),
            manner,
            more);
  }

  private static String sampled(String manner) {
    return train(manner, ", mechanism: {type: sampled-gaussian, samplingRate: 0.3, clipNorm: 0.5}");
  }

  private static String onAllRows(String manner) {
    return train(manner, ", mechanism: {type: gaussian, clipNorm: 0.5}");
  }

  private static ObjectNode json(Path file) throws IOException {
    return Json.read(Files.readString(file));
  }

  /** No file of a study, and nothing in its store, has what only the owner may see. */
  private void requireNothingPrivate() throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(PRIVATE);
      }
    }
  }

  private static List<JsonNode> without(JsonNode list, String word) {
    return list.valueStream().filter(entry -> !entry.asString().contains(word)).toList();
  }

  /** The same plan, charges and statement as the built-in method's, but for the trainer's word. */
  @Test
  void aStudy_isPlannedChargedAndStatedAsThatOfTheBuiltInMethod() throws Exception {
    SmallSweep own = SmallSweep.in(Files.createDirectory(folder.resolve("own"))).parallel(3);
    Path external = CommandRun.run(own.train(sampled("honest"))).succeeded().folder();
    SmallSweep its = SmallSweep.in(Files.createDirectory(folder.resolve("its"))).parallel(3);
    String dpSgd = "{method: dp-sgd, samplingRate: 0.3, clipNorm: 0.5, freeStep: false}";
    Path builtIn = CommandRun.run(its.train(dpSgd)).succeeded().folder();

    ObjectNode one = json(external.resolve("plan.json"));
    ObjectNode other = json(builtIn.resolve("plan.json"));
    for (String charges : List.of("charges", "trials", "epsilon", "total")) {
      assertThat(one.path(charges)).as(charges).isEqualTo(other.path(charges));
    }
    ObjectNode statement = json(external.resolve("statement.json"));
    ObjectNode expected = json(builtIn.resolve("statement.json"));
    assertThat(statement.path("epsilon")).isEqualTo(expected.path("epsilon"));
    assertThat(statement.path("profile")).isEqualTo(expected.path("profile"));
    assertThat(sorted(statement.path("charges"))).isEqualTo(sorted(expected.path("charges")));
    String trust = statement.path("excluded").toString();
    assertThat(trust).contains("is its word", "that the trainer fails, or how long it takes");
    assertThat(without(statement.path("excluded"), "the trainer"))
        .isEqualTo(without(expected.path("excluded"), "the trainer"));
    assertThat(statement.path("noise").asString()).startsWith("the noise of training is");

    CommandRun.of("audit", "--output", own.runs().toString()).succeeded();
    requireNothingPrivate();
    assertThat(json(external.resolve("result.json")).path("testAccuracy").asDouble())
        .isGreaterThan(0.5);
  }

  /** In the order of their names: charges are made in the order of threads. */
  private static List<String> sorted(JsonNode charges) {
    return charges.valueStream().map(JsonNode::toString).sorted().toList();
  }

  /** The stub exits at step 6, where it comes by it. */
  @Test
  void aTrainerThatDies_stopsTheRunWithOneLine_andTheStudyGoesOn() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).trials(0).train(onAllRows("at-step:exit"));
    CommandRun died = CommandRun.run(sweep);
    assertThat(died.failedWith(ExitCode.INVALID))
        .contains("the trainer has ended before it was told to");
    requireNothingPrivate();

    CommandRun resumed = CommandRun.of("resume", "--output", sweep.runs().toString()).succeeded();
    JsonNode last = json(resumed.folder().resolve("result.json")).path("final");
    // Two steps are noted at a time: 5 and 6 were begun, and are in no checkpoint.
    assertThat(last.path("lostSteps").asInt()).isEqualTo(2);
    CommandRun.of("audit", "--output", sweep.runs().toString()).succeeded();
  }

  @Test
  void aModel_isKnownByItsDigest_andReadByItsTrainerAlone() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).trials(0).steps(4).train(onAllRows("honest"));
    Path study = CommandRun.run(sweep).succeeded().folder();
    Path model = study.resolve("model.bin");
    assertThat(Files.readString(study.resolve("model.json"))).contains("\"model\" : \"file\"");
    assertThat(CommandRun.of("predict", study.toString(), sweep.testRows().toString()).err())
        .contains("only the trainer understands that wrote it");
    CommandRun.of("audit", "--output", sweep.runs().toString()).succeeded();
    String digest = DigestUtils.sha256Hex(Files.readAllBytes(model));

    byte[] changed = Files.readAllBytes(model);
    changed[0] ^= 1;
    Files.write(model, changed);
    assertThat(DigestUtils.sha256Hex(changed)).isNotEqualTo(digest);
    assertThat(CommandRun.of("audit", "--output", sweep.runs().toString()).out())
        .contains("the model is not the one whose digest is in the ledger");
  }

  /**
   * What it fails at may be a private row's; so the score is that of noise, and nothing is told.
   */
  @Test
  void aTrainerThatCannotScorePrivateRows_isNotSeenToFail() throws Exception {
    SmallSweep sweep =
        SmallSweep.in(folder).trials(1).steps(4).privateValidation().train(onAllRows("honest"));
    Path text =
        Files.writeString(
            folder.resolve("s.yaml"), Files.readString(Path.of(sweep.command("run")[1])));
    String without =
        Files.readString(text)
            .replace("  test: {path: test.csv}\n", "")
            .replace("honest", "predict:garbage");
    Files.writeString(text, without);
    Path study =
        CommandRun.of("run", text.toString(), "--output", sweep.runs().toString())
            .succeeded()
            .folder();
    JsonNode trial = json(study.resolve("result.json")).path("trials").path(0);
    // σ of a count at ε = 0.3 is below 20 rows of 100: ten of them are 2 scores.
    assertThat(trial.path("score").asDouble()).isBetween(-2.0, 2.0);
    requireNothingPrivate();
  }

  @Test
  void randomStopping_trainsInSecretAndReleasesTheBest() throws Exception {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .search(
                "{strategy: random-stopping, space: {logitNoise: {min: 0.5, max: 2}, steps: 3},"
                    + " runs: {mean: 2}, score: {on: private, epsilon: 0.3}}")
            .train(onAllRows("honest"));
    CommandRun run = CommandRun.run(sweep);
    // The law of the number of runs may give none, which is all that is released then.
    if (run.status() == ExitCode.DONE) {
      assertThat(run.folder().resolve("model.bin")).isNotEmptyFile();
    } else {
      assertThat(run.err()).contains("the law of the number of runs gave none");
    }
    CommandRun refused = CommandRun.run(sweep.train(sampled("honest")));
    assertThat(refused.err()).contains("must not be random-stopping with external");
  }

  /** A program is started for whoever holds the files, and for nobody who submits a sweep. */
  @Test
  void aSubmittedSweep_namesNoProgram() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).train(onAllRows("honest"));
    assertThat(CommandRun.of(sweep.command("submit")).err())
        .contains("train.command names a program, which only 'mutune run' starts");
  }

  @Test
  void numbersOfItsOwn_areSearchedAndTold() throws Exception {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .search(
                "{strategy: random, trials: 2, seed: 1, score: {on: private, epsilon: 0.3}, space:"
                    + " {learningRate: 0.1, steps: 3, settings: {hidden: {min: 2, max: 8}}}}")
            .train(onAllRows("honest"));
    Path study = CommandRun.run(sweep).succeeded().folder();
    JsonNode trials = json(study.resolve("result.json")).path("trials");
    List<Double> hidden = new ArrayList<>();
    trials.forEach(trial -> hidden.add(trial.path("settings.hidden").asDouble()));
    assertThat(hidden).hasSize(2).allSatisfy(value -> assertThat(value).isBetween(2.0, 8.0));
    assertThat(Files.readAllLines(study.resolve("trials.csv")).get(0)).contains("settings.hidden");
  }

  /** Canaries go into the rows that the trainer is given, and its own scores tell them. */
  @Test
  void anAudit_isOfATrainerAsOfABuiltInMethod() throws Exception {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .declaredPublic()
            .stated()
            .trials(0)
            .steps(4)
            .train(onAllRows("honest"));
    CommandRun run =
        CommandRun.of("attack", "canary", sweep.command("run")[1], "--canaries", "100").succeeded();
    assertThat(run.out()).contains("the losses under 1 released model");
  }

  /** Where Python has NumPy, which the build does not bring. */
  @Test
  void theExampleInNumPy_runsAsItIs() throws Exception {
    assumeTrue(hasNumPy(), "python3 has no NumPy here");
    String sweep = ROOT.resolve("sweeps/external.yaml").toString();
    Path study = CommandRun.of("run", sweep, "--output", folder.toString()).succeeded().folder();
    assertThat(json(study.resolve("result.json")).path("testAccuracy").asDouble())
        .isGreaterThan(0.6);
    CommandRun.of("audit", "--output", folder.toString()).succeeded();
  }

  private static boolean hasNumPy() throws InterruptedException {
    try {
      Process python =
          new ProcessBuilder("python3", "-c", "import numpy")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return python.waitFor(60, TimeUnit.SECONDS) && python.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
