package io.mutune.orchestrator.cli;

import static io.mutune.orchestrator.cli.StubTrainers.json;
import static io.mutune.orchestrator.cli.StubTrainers.onAllRows;
import static io.mutune.orchestrator.cli.StubTrainers.sampled;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Studies of {@code mutune run} that a program of somebody else's trains: the stub. */
@Timeout(600)
class ExternalStudiesTest {
  @TempDir Path folder;

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
    for (String charges : List.of("rows", "budget", "charges", "trials", "finalSigma")) {
      assertThat(one.path(charges).isMissingNode()).isFalse();
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
    StubTrainers.requireNothingPrivate(folder);
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
    assertThat(died.toldWhy(ExitCode.INVALID).lines().filter(line -> line.contains("trainer")))
        .singleElement()
        .asString()
        .contains("the trainer has ended before it was told to");
    StubTrainers.requireNothingPrivate(folder);

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
        .endsWith(
            model
                + ": is a model that only the trainer understands that wrote it: score rows with it\n");
    Path other = folder.resolve("other.json");
    assertThat(CommandRun.of("export", study.toString(), "--output", other.toString()).err())
        .contains("only the trainer understands that wrote it");
    CommandRun.of("audit", "--output", sweep.runs().toString()).succeeded();
    String digest = DigestUtils.sha256Hex(Files.readAllBytes(model));
    CommandRun.of("card", study.toString()).succeeded();
    assertThat(Files.readString(study.resolve("card.json"))).contains("model.bin", digest);
    CommandRun.of("verify", study.toString()).succeeded();

    byte[] changed = Files.readAllBytes(model);
    changed[0] ^= 1;
    Files.write(model, changed);
    assertThat(DigestUtils.sha256Hex(changed)).isNotEqualTo(digest);
    assertThat(CommandRun.of("audit", "--output", sweep.runs().toString()).out())
        .contains("the model is not the one whose digest is in the ledger");
  }

  /**
   * What it fails at may be a private row's; so the score is that of noise, and nobody but the
   * holder is told, once.
   */
  @Test
  void aTrainerThatCannotScorePrivateRows_isNotSeenToFail() throws Exception {
    SmallSweep sweep =
        SmallSweep.in(folder).trials(2).steps(4).privateValidation().train(onAllRows("honest"));
    Path text =
        Files.writeString(
            folder.resolve("s.yaml"), Files.readString(Path.of(sweep.command("run")[1])));
    String without =
        Files.readString(text)
            .replace("  test: {path: test.csv}\n", "")
            .replace("honest", "predict:garbage");
    Files.writeString(text, without);
    CommandRun run =
        CommandRun.of("run", text.toString(), "--output", sweep.runs().toString()).succeeded();
    assertThat(run.err().lines().filter(line -> line.contains("failed")))
        .containsExactly(
            "mutune: data.private: the trainer failed to score these rows at least once, so that"
                + " all of them counted as wrong and a score of them is noise alone (private: for"
                + " whoever holds the file)");
    Path study = run.folder();
    assertThat(Files.readString(sweep.runs().resolve("mutune.db"), StandardCharsets.ISO_8859_1))
        .doesNotContain("failed to score");
    JsonNode trial = json(study.resolve("result.json")).path("trials").path(0);
    // σ of a count at ε = 0.3 is below 20 rows of 100: ten of them are 2 scores.
    assertThat(trial.path("score").asDouble()).isBetween(-2.0, 2.0);
    StubTrainers.requireNothingPrivate(folder);
  }

  @Test
  void aStudyThatIsStoppedWhileRowsAreScored_leavesNoTrainerAndNothingInTheClear()
      throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).trials(2).steps(4).train(onAllRows("honest"));
    String text = Files.readString(Path.of(sweep.command("run")[1]));
    Path hanging = folder.resolve("s.yaml");
    Files.writeString(hanging, text.replace("honest", "predict:hang"));
    Path scratch = folder.resolve("scratch");
    try (MutuneProcess run =
            MutuneProcess.startIn(
                List.of("env", "MUTUNE_SCRATCH=" + scratch),
                "run",
                hanging.toString(),
                "--output",
                sweep.runs().toString());
        StoreView store = run.store(sweep)) {
      run.until(() -> store.number("SELECT count(*) FROM trial WHERE state = 'TRAINED'") > 0);
      run.until(() -> !StubTrainers.processes().isEmpty());
      run.signal("TERM");
      assertThat(run.end().toldWhy(ExitCode.INTERRUPTED))
          .contains("interrupted; everything charged and released so far");
      assertThat(store.number("SELECT count(*) FROM trial WHERE score IS NOT NULL")).isZero();
    }
    assertThat(StubTrainers.processes()).isEmpty();
    assertThat(scratch.resolve("trainers")).isEmptyDirectory();
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
    assertThat(refused.err())
        .contains(
            "search.strategy must not be with external: a run and its score are charged as one"
                + " Gaussian mechanism; was random-stopping");
  }

  @Test
  void aVariableThatNoProcessCanHave_isRefused() throws Exception {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .train(
                "{method: external, descends: true, mechanism: {type: gaussian, clipNorm: 1},"
                    + " environment: {a.b: x, \"A=B\": x}, command: [\"true\"]}");
    CommandRun run = CommandRun.of(sweep.command("run"));
    assertThat(run.status()).isEqualTo(ExitCode.INVALID);
    assertThat(run.err()).contains("train.environment must have names without '='", "was A=B");
  }

  /** Every line that goes to a trainer and comes from it, copied on its way. */
  @Test
  void everyMessage_isInTheSchemaOfTheProtocol() throws Exception {
    String stub = StubTrainers.command("honest").replaceAll("[\\[\\],]", "");
    String pipe = "tee -a to | %s | tee -a from".formatted(stub);
    SmallSweep sweep =
        SmallSweep.in(folder)
            .trials(0)
            .steps(40)
            .train(
                "{method: external, descends: true, mechanism: {type: sampled-gaussian,"
                    + " samplingRate: 0.5, clipNorm: 1}, settings: {a: 1, b: word, c: true, d: 2d},"
                    + " command: [sh, -c, \"%s\"]}".formatted(pipe));
    CommandRun.run(sweep).succeeded();
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(
                Json.read(
                    Files.readString(
                        StubTrainers.ROOT.resolve("docs/trainer-protocol.schema.json"))));
    Set<String> types = new TreeSet<>();
    for (String side : List.of("to", "from")) {
      for (String line : Files.readAllLines(folder.resolve(side))) {
        ObjectNode message = Json.read(line);
        assertThat(schema.validate(message)).as(line).isEmpty();
        types.add(message.path("type").asString());
        if (message.has("settings")) {
          assertThat(message.path("settings").toString())
              .isEqualTo("{\"a\":1.0,\"b\":\"word\",\"c\":true,\"d\":\"2d\"}");
        }
      }
    }
    assertThat(types)
        .containsExactly(
            ("begin begun checkpoint end model predict progress ready run saved scores train")
                .split(" "));
    assertThat(schema.validate(Json.read("{\"type\":\"begin\"}"))).isNotEmpty();
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
}
