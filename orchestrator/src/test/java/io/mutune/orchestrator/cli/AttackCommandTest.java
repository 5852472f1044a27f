package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Attacks on sound studies: a bound passes the guarantee with the probability that it states. */
@Timeout(300)
class AttackCommandTest {
  private static final String DRAWN = "(?s)<script type=\"application/json\".*?</script>";

  @TempDir Path folder;

  private CommandRun attack(SmallSweep sweep, String kind, String... more) {
    sweep.command("run"); // writes the sweep file
    List<String> words = new ArrayList<>(List.of("attack", kind, sweepFile().toString()));
    words.addAll(List.of(more));
    words.addAll(List.of("--output", folder.resolve("attack.json").toString()));
    return CommandRun.of(words.toArray(String[]::new));
  }

  private Path sweepFile() {
    return folder.resolve("sweep.yaml");
  }

  private ObjectNode document() throws IOException {
    return Json.read(Files.readString(folder.resolve("attack.json")));
  }

  @Test
  void canary_saysBothFigures_andNamesTheEmpiricalOneALowerBound() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(10).declaredPublic();
    SmallSweep.writeRows(sweep.privateRows(), 400, 40, 1);
    SmallSweep.writeRows(sweep.testRows(), 100, 40, 2);

    CommandRun run =
        attack(sweep, "canary", "--canaries", "100", "--confidence", "0.999999").succeeded();

    assertThat(run.out())
        .contains(
            "declares public", "guaranteed:  epsilon at most 2", "a lower bound, no guarantee")
        .contains("of 20 guesses right, for 100 gradient canaries");
    ObjectNode json = document();
    assertThat(json.path("guaranteed").path("epsilon").asDouble()).isBetween(1.99, 2.0);
    assertThat(json.path("lowerBound").path("epsilon").asDouble()).isLessThan(2);
    assertThat(json.path("refutes").asBoolean(true)).isFalse();
    assertThat(Files.readString(folder.resolve("attack.html")))
        .contains("a lower bound, no guarantee", "epsilon at most 2");
    assertThat(folder.resolve("attack-figures").resolve("roc.svg")).isNotEmptyFile();
    assertThat(folder.resolve("attack-figures").resolve("bounds.svg")).isNotEmptyFile();
  }

  /** Scores by noisy counts of each class are part of what is attacked, and of what is claimed. */
  @Test
  void canary_ofAStudyThatIsTunedForBalancedAccuracy_findsNoMoreThanItClaims() throws IOException {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .declaredPublic()
            .search(
                "{strategy: grid, points: {values: 2}, metric: balanced-accuracy,"
                    + " space: {learningRate: {min: 0.1, max: 9}, steps: 10},"
                    + " score: {on: private, epsilon: 0.3}}");
    SmallSweep.writeRows(sweep.privateRows(), 400, 40, 1);
    SmallSweep.writeRows(sweep.testRows(), 100, 40, 2);

    attack(sweep, "canary", "--canaries", "100", "--confidence", "0.999999").succeeded();

    ObjectNode json = document();
    assertThat(json.path("guaranteed").path("epsilon").asDouble()).isBetween(1.99, 2.0);
    assertThat(json.path("lowerBound").path("epsilon").asDouble())
        .isLessThanOrEqualTo(json.path("guaranteed").path("epsilon").asDouble());
    assertThat(json.path("refutes").asBoolean(true)).isFalse();
  }

  @Test
  void aCanaryOfManyRows_isSaidToBeNoneThatTheGuaranteeIsAbout() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(4).declaredPublic();
    SmallSweep.writeRows(sweep.privateRows(), 400, 40, 1);
    SmallSweep.writeRows(sweep.testRows(), 100, 40, 2);

    CommandRun run = attack(sweep, "canary", "--canaries", "100", "--rows", "20").succeeded();

    assertThat(run.out())
        .contains("people of 20 rows; EACH ROW IS PROTECTED BY ITSELF, the person is not")
        .doesNotContain("REFUTED");
    assertThat(document().path("person").path("rows").asInt()).isEqualTo(20);
    assertThat(document().path("person").path("covered").asBoolean(true)).isFalse();
    assertThat(attack(sweep, "neighbours", "--rows", "0").err())
        .contains("has 1 to 64 rows; was 0");
  }

  /** Its report would show other rows than its own, and no longer be the one of its card. */
  @Test
  void membership_refusesAStudyOfAnotherSweep_andOneThatHasACard() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(10).declaredPublic();
    Path study = CommandRun.run(sweep).succeeded().folder();

    CommandRun.of("card", study.toString()).succeeded();
    assertThat(
            attack(sweep, "membership", "--study", study.toString()).failedWith(ExitCode.INVALID))
        .contains("has a card, which no other report.html would fit");
    assertThat(
            attack(sweep.steps(11), "membership", "--study", study.toString())
                .failedWith(ExitCode.INVALID))
        .contains("is of another sweep");
    CommandRun.of("verify", study.toString()).succeeded();
  }

  @Test
  void membership_attacksAStudyThatIsThere_andItsReportSaysSo() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(10).declaredPublic();
    Path study = CommandRun.run(sweep).succeeded().folder();
    String before = Files.readString(study.resolve("report.html"));

    for (int i = 0; i < 2; i++) {
      attack(sweep, "membership", "--study", study.toString(), "--references", "4").succeeded();
    }

    String report = Files.readString(study.resolve("report.html"));
    assertThat(report).containsOnlyOnce("What an attack showed (membership)");
    assertThat(report).containsOnlyOnce("\"id\" : \"attack-roc\"").contains("plot-attack-roc");
    assertThat(
            report
                .replaceAll("(?s)<!-- attack -->.*<!-- end of attack -->\n", "")
                .replaceAll(DRAWN, ""))
        .isEqualTo(before.replaceAll(DRAWN, ""));
    JsonNode curves = document().path("curves");
    assertThat(curves.size()).isEqualTo(2);
    assertThat(document().path("members").asInt()).isEqualTo(400);
    assertThat(document().path("guaranteed").path("epsilon").asDouble()).isBetween(1.99, 2.0);
    for (JsonNode curve : curves) {
      // 400 rows against 100 at epsilon 2: far from told, one way or the other.
      assertThat(curve.path("auc").asDouble()).isBetween(0.2, 0.8);
    }
  }

  @Test
  void membership_runsAStudyOfItsOwn_whereNoneIsNamed() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(5).declaredPublic();

    assertThat(attack(sweep, "membership", "--format", "json").succeeded().out())
        .contains("\"attack\" : \"membership\"", "loss threshold");
    assertThat(sweep.runs()).doesNotExist();
  }

  /** Its noise is fresh each time: at the usual confidence one run in a million is accused. */
  @Test
  void neighbours_findsNothingInASoundProgram() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(4).declaredPublic();

    CommandRun run = attack(sweep, "neighbours", "--runs", "20").succeeded();

    assertThat(run.out()).contains("documents the same to the last byte", "lower bound");
    ObjectNode json = document();
    assertThat(json.path("rowThatAddsNothing").path("compared").asInt()).isGreaterThan(10);
    assertThat(json.path("problems").size()).isZero();
    assertThat(json.path("refutes").asBoolean(true)).isFalse();
    List<String> names =
        json.path("numbers").valueStream().map(n -> n.path("number").asString("")).toList();
    assertThat(names)
        .contains("likelihood ratio of the noisy sums", "bytes of result.json", "score of trial 1");
  }

  /** Runs of one noise are one run: told apart for sure, and no evidence. */
  @Test
  void neighbours_ofASeededSweep_haveNoiseOfTheirOwn_andTheGuaranteeIsVoid() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(4).declaredPublic().seed(7);

    attack(sweep, "neighbours", "--runs", "20", "--confidence", "0.9", "--seed", "1").succeeded();

    ObjectNode json = document();
    assertThat(json.path("guaranteed").propertyNames())
        .containsExactly("epsilon", "delta", "guarantee", "why");
    assertThat(json.path("guaranteed").path("guarantee").asString()).isEqualTo("void");
    assertThat(json.path("guaranteed").path("why").asString()).contains("seed");
    List<Double> shown =
        json.path("numbers")
            .valueStream()
            .filter(n -> n.path("number").asString("").startsWith("score of"))
            .map(n -> n.path("epsilonAtLeast").asDouble())
            .toList();
    assertThat(shown).isNotEmpty().containsOnly(0.0);
  }

  /**
   * 100 canaries and 20 guesses at ε = 2: even 20 that are right show less than 2 at 99.9%, since
   * (e^2/(1 + e^2))^20 is 0.08.
   */
  @Test
  void canary_ofPrivateRows_isChargedToTheirAccount_andSaysWhich() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(10).account("rows");
    SmallSweep.writeRows(sweep.privateRows(), 400, 40, 1);
    SmallSweep.writeRows(sweep.testRows(), 100, 40, 2);
    String runs = sweep.runs().toString();
    String[] options = {"--canaries", "100", "--confidence", "0.999", "--runs", runs};

    assertThat(attack(sweep, "canary", options).failedWith(ExitCode.REFUSED))
        .contains("there is no account 'rows'");
    CommandRun.of("account", "create", "rows", "--mu", "0.6", "--output", runs).succeeded();
    CommandRun run = attack(sweep, "canary", options).succeeded();

    assertThat(run.out())
        .contains("charged to the account 'rows'", "guaranteed:  epsilon at most 2")
        .contains("less what public rows would add")
        .doesNotContain("nothing that it looked at");
    ObjectNode json = document();
    assertThat(json.path("declared").asString()).isEqualTo("private");
    assertThat(json.path("account").asString()).isEqualTo("rows");
    Path study = sweep.runs().resolve(json.path("study").asString());
    assertThat(Files.readString(study.resolve("report.html")))
        .contains("What an attack showed (canary)", "a lower bound, no guarantee")
        .contains("charged to the account &#39;rows&#39;");
    assertThat(Files.readString(study.resolve("statement.json"))).contains("holds");
    CommandRun.of(sweep.command("audit")).succeeded();
    assertThat(CommandRun.of("account", "show", "rows", "--output", runs).succeeded().out())
        .contains("ended studies: mu");
    // The account had room for one study, whether it is an audit or not.
    assertThat(CommandRun.run(sweep).failedWith(ExitCode.REFUSED)).contains("over the account");
    assertThat(attack(sweep, "canary", options).failedWith(ExitCode.REFUSED))
        .contains("over the account");
  }

  @Test
  void canary_ofAKindThatPrivateRowsDoNotBear_leavesNothing() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(10).account("rows");
    String runs = sweep.runs().toString();
    CommandRun.of("account", "create", "rows", "--mu", "2", "--output", runs).succeeded();

    assertThat(
            attack(sweep, "canary", "--kind", "mislabelled", "--canaries", "100", "--runs", runs)
                .failedWith(ExitCode.INVALID))
        .contains("rows of the data, which are private");
    assertThat(CommandRun.of(sweep.command("list")).succeeded().out()).doesNotContain("small-");
    assertThat(folder.resolve("attack.json")).doesNotExist();
  }

  @Test
  void aPlaceThatCannotBeWrittenTo_isRefusedBeforeAnythingIsCharged() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(10).account("rows");
    SmallSweep.writeRows(sweep.privateRows(), 400, 40, 1);
    SmallSweep.writeRows(sweep.testRows(), 100, 40, 2);
    String runs = sweep.runs().toString();
    CommandRun.of("account", "create", "rows", "--mu", "2", "--output", runs).succeeded();
    String[] options = {"--canaries", "100", "--runs", runs};

    Files.createDirectory(folder.resolve("attack.json"));
    assertThat(attack(sweep, "canary", options).failedWith(ExitCode.INVALID))
        .contains("attack.json: is a folder, not a file");
    assertThat(CommandRun.of(sweep.command("list")).succeeded().out()).doesNotContain("small-");
  }

  @Test
  void canary_ofPrivateRows_checksTheirFormAsAnyNewStudyDoes() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(10).account("rows");
    String runs = sweep.runs().toString();
    CommandRun.of("account", "create", "rows", "--mu", "2", "--output", runs).succeeded();
    String[] options = {"--canaries", "100", "--runs", runs};

    assertThat(
            attack(sweep, "canary", "--canaries", "100", "--runs", runs, "--no-check")
                .failedWith(ExitCode.INVALID))
        .contains("state 'features', or have a header");
    Files.writeString(sweep.privateRows(), "0.1,0.2,0.3,0.4,0.5,unknown\n");
    assertThat(attack(sweep, "canary", options).failedWith(ExitCode.INVALID))
        .contains("private.csv");
    assertThat(CommandRun.of(sweep.command("list")).succeeded().out()).doesNotContain("small-");
  }

  /** As a kill leaves it: going on would train without the canaries. */
  @Test
  void anAuditThatWasKilled_isNotGoneOnWith_andCanBeCancelled() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(10).account("rows");
    sweep.command("run");
    String text =
        "# By 'mutune attack canary': made-up rows took part beside those of data.private.\n"
            + Files.readString(sweepFile());
    SweepContext context = SweepContext.ofFile(sweepFile());
    CommandRun.of("account", "create", "rows", "--mu", "2", "--output", sweep.runs().toString())
        .succeeded();
    Study study =
        Study.create(
            StudyPlan.of(SweepReader.read("sweep.yaml", text, context)),
            text,
            context,
            sweep.runs());
    try (StudyStore store = Stores.open(sweep.store())) {
      study.enter(store);
      store.move(study.id(), StudyState.RUNNING);
    }

    assertThat(CommandRun.of(sweep.command("resume", study.id())).failedWith(ExitCode.INVALID))
        .contains("is an audit", "mutune cancel");
    CommandRun.of(sweep.command("cancel", study.id())).succeeded();
  }

  @ParameterizedTest
  @ValueSource(strings = {"canary", "membership", "neighbours"})
  void privateRows_areRefusedBeforeTheyAreRead(String kind) throws IOException {
    SmallSweep sweep = SmallSweep.in(folder);
    sweep.command("run");
    Files.delete(sweep.privateRows());

    assertThat(attack(sweep, kind).failedWith(ExitCode.INVALID)).contains("declared: public");
  }

  @ParameterizedTest
  @CsvSource({
    "canary, --kind, loud, --kind must be",
    "canary, --canaries, 99, at least 100",
    "canary, --canaries, 100000, make no 100000 canaries",
    "canary, --confidence, 1, --confidence must",
    "canary, --seed, -1, --seed must",
    "membership, --references, 3, at least 4",
    "neighbours, --runs, 5, at least 20"
  })
  void anOptionThatMakesNoSense_isNamed(String kind, String option, String value, String message)
      throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(5).declaredPublic();

    assertThat(attack(sweep, kind, option, value).failedWith(ExitCode.INVALID)).contains(message);
  }

  /** An audit of private rows is charged, so nothing is to be found out at its end. */
  @Test
  void whatIsInTheWayOfItsPageOrFigures_isNamedBeforeAnythingRuns() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).declaredPublic();
    Path page = Files.createDirectory(folder.resolve("attack.html"));
    assertThat(attack(sweep, "canary").failedWith(ExitCode.INVALID))
        .endsWith(page + ": is a folder, not a file");
    Files.delete(page);
    Path figures = Files.writeString(folder.resolve("attack-figures"), "mine");
    assertThat(attack(sweep, "canary").failedWith(ExitCode.INVALID))
        .endsWith(figures + " is a file, where the figures go");
    Files.delete(figures);
    Files.writeString(folder.resolve("statement.json"), "{}");
    Path report = Files.writeString(folder.resolve("report.html"), "a report");
    String document = folder.resolve("report.json").toString();
    sweep.command("run");
    assertThat(
            CommandRun.of("attack", "canary", sweepFile().toString(), "--output", document)
                .failedWith(ExitCode.INVALID))
        .endsWith("report.html: is a document of the study; name another file");
    assertThat(report).hasContent("a report");
    assertThat(folder.resolve("attack.json")).doesNotExist();
  }
}
