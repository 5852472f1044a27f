package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Studies by methods and scores that nothing is charged for, and what they say of themselves. */
@Timeout(240)
class OpenStudiesTest {
  private static final String FIXED = "strategy: fixed";
  private static final String UNCHARGED =
      "strategy: scale-free, space: {steps: 30}, sweeps: [{epsilon: 0.4, trials: 3}],"
          + " score: {on: private, uncharged: true}";

  @TempDir Path folder;

  private Path sweep(String declared, String shown, String search, String train)
      throws IOException {
    SmallSweep.writeRows(folder.resolve("private.csv"), 400, 5, 1);
    SmallSweep.writeRows(folder.resolve("public.csv"), 40, 5, 2);
    SmallSweep.writeRows(folder.resolve("test.csv"), 200, 5, 3);
    return Files.writeString(
        folder.resolve("sweep.yaml"),
        """
        version: 1
        name: open
        data:
          private: {path: private.csv, format: csv, classes: 3, rows: 400, features: 5%s}
          test: {path: test.csv}%s
        features: [{type: l2-normalize}]
        budget: {epsilon: 2, delta: 1.0e-5}
        search: {%s}
        train: {%s}
        """
            .formatted(
                declared.isEmpty() ? "" : ", declared: " + declared,
                shown.isEmpty() ? "" : "\n  public: {path: public.csv}",
                search,
                train));
  }

  private CommandRun run(Path sweep) {
    return CommandRun.of("run", sweep.toString(), "--output", runs());
  }

  private String runs() {
    return folder.resolve("runs").toString();
  }

  private static JsonNode json(Path study, String name) throws IOException {
    return Json.read(Files.readString(study.resolve(name)));
  }

  @Test
  void onlyPublic_chargesNothing_andReadsNotOneByteOfThePrivateRows() throws Exception {
    Path sweep = sweep("", "public", FIXED, "method: only-public");
    Files.writeString(folder.resolve("private.csv"), "whoever parses this fails\n");
    assertThat(CommandRun.of("plan", sweep.toString()).succeeded().out())
        .contains("only-public")
        .doesNotContain("final");
    CommandRun run = run(sweep).succeeded();
    JsonNode statement = json(run.folder(), "statement.json");
    assertThat(statement.path("guarantee").asString()).isEqualTo("holds");
    assertThat(statement.path("epsilon").asDouble()).isZero();
    assertThat(statement.path("mu").asDouble()).isZero();
    assertThat(statement.path("charges").size()).isZero();
    assertThat(statement.path("noise").asString()).contains("no noise was drawn");
    assertThat(statement.path("released").toString()).contains("it read no private row");
    assertThat(json(run.folder(), "result.json").path("testAccuracy").asDouble())
        .isGreaterThan(0.8);
    assertThat(CommandRun.of("audit", "--output", runs()).succeeded().out())
        .contains("Everything agrees");
    CommandRun.of("status", "--output", runs()).succeeded();
    CommandRun.of("list", "--output", runs()).succeeded();
    String rows = folder.resolve("test.csv").toString();
    assertThat(CommandRun.of("predict", run.folder().toString(), rows).succeeded().err())
        .doesNotContain("guarantee");
  }

  @Test
  void notPrivate_isRefusedForRowsThatNobodyDeclaredOpen() throws Exception {
    for (String declared : new String[] {"", "private"}) {
      assertThat(run(sweep(declared, "", FIXED, "method: not-private")).err())
          .contains("train must not have the method not-private where data.private is declared");
    }
    assertThat(folder.resolve("runs")).doesNotExist();
  }

  @Test
  void notPrivate_isVoidInEveryOutput_andSaysWhy() throws Exception {
    Path sweep = sweep("simulated", "", FIXED, "method: not-private, weightDecay: 1.0e-4");
    CommandRun run = run(sweep).succeeded();
    requireVoid(sweep, run, "not-private trained on the rows of data.private without noise");
    assertThat(json(run.folder(), "statement.json").path("charges").size()).isZero();
    assertThat(json(run.folder(), "result.json").path("testAccuracy").asDouble())
        .isGreaterThan(0.9);
  }

  @Test
  void unchargedScores_areRefusedForRowsThatNobodyDeclaredOpen() throws Exception {
    assertThat(run(sweep("", "", UNCHARGED, "method: noisy-gd")).err())
        .contains("search.score.uncharged reads the rows without a charge");
    String elsewhere = UNCHARGED.replace("on: private", "on: validation");
    assertThat(run(sweep("public", "", elsewhere, "method: noisy-gd")).err())
        .contains("search.score.uncharged is for on: private");
    assertThat(folder.resolve("runs")).doesNotExist();
  }

  @Test
  void unchargedScores_areExact_costNothing_andVoidTheGuarantee() throws Exception {
    Path sweep = sweep("public", "", UNCHARGED, "method: noisy-gd");
    CommandRun run = run(sweep).succeeded();
    requireVoid(sweep, run, "trials were compared by their exact scores");
    JsonNode charges = json(run.folder(), "statement.json").path("charges");
    assertThat(charges.size()).isEqualTo(4);
    charges.forEach(charge -> assertThat(charge.path("what").asString()).doesNotContain("score"));
    for (JsonNode trial : json(run.folder(), "result.json").path("trials")) {
      double right = trial.path("score").asDouble() * 400;
      // A whole number of the 400 rows, but for the rounding of one quotient.
      assertThat(right).isBetween(Math.rint(right) - 1e-9, Math.rint(right) + 1e-9);
    }
  }

  private void requireVoid(Path sweep, CommandRun run, String why) throws IOException {
    String warning = "THE STATED EPSILON DOES NOT HOLD: " + why;
    assertThat(CommandRun.of("plan", sweep.toString()).succeeded().out()).startsWith(warning);
    assertThat(CommandRun.of("plan", sweep.toString(), "--format", "json").succeeded().out())
        .contains("\"guarantee\" : \"void\"");
    assertThat(run.out()).startsWith(warning);
    for (String name : new String[] {"plan", "statement", "result", "model"}) {
      JsonNode json = json(run.folder(), name + ".json");
      assertThat(json.path("guarantee").asString()).as(name).isEqualTo("void");
      assertThat(json.path("why").asString()).as(name).contains(why, "declares them");
    }
    assertThat(Files.readString(run.folder().resolve("statement.txt"))).startsWith(warning);
    assertThat(Files.readString(run.folder().resolve("report.html"))).contains(why);
    List<String> trials = Files.readAllLines(run.folder().resolve("trials.csv"));
    int guarantee = List.of(trials.get(0).split(",", -1)).indexOf("guarantee");
    assertThat(trials.subList(1, trials.size()))
        .allMatch(line -> line.split(",", -1)[guarantee].equals("void"));
    String rows = folder.resolve("test.csv").toString();
    assertThat(CommandRun.of("predict", run.folder().toString(), rows).succeeded().err())
        .contains("this model comes without a guarantee: " + why);
    for (String command : new String[] {"audit", "status"}) {
      assertThat(CommandRun.of(command, "--output", runs()).succeeded().out()).startsWith(warning);
      assertThat(CommandRun.of(command, "--output", runs(), "--format", "json").succeeded().out())
          .contains("\"guarantee\" : \"void\"");
    }
    assertThat(CommandRun.of("audit", "--output", runs()).succeeded().out())
        .contains("Everything agrees with the plan")
        .doesNotContain("every question has its charge");
    // A statement that claims what the sweep gave up is found.
    Path statement = run.folder().resolve("statement.json");
    Files.writeString(
        statement,
        Files.readString(statement)
            .replace("\"guarantee\" : \"void\"", "\"guarantee\" : \"holds\""));
    CommandRun audit = CommandRun.of("audit", "--output", runs());
    assertThat(audit.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out()).contains("guarantee is 'holds' but by the sweep it is void");
  }
}
