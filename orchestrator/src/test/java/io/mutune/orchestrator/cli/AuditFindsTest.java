package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.commons.io.file.PathUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An audit that could not fail would be worth nothing: each of these it has to find. */
class AuditFindsTest {
  @TempDir Path folder;
  private SmallSweep sweep;
  private Path study;

  @BeforeEach
  void runStudy() throws IOException {
    sweep = SmallSweep.in(folder).steps(5);
    study = CommandRun.run(sweep).succeeded().folder();
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  /** What an audit says that does not agree. */
  private List<String> problems() {
    return CommandRun.of(sweep.command("audit"))
        .out()
        .lines()
        .filter(line -> line.startsWith("DOES NOT AGREE: "))
        .map(line -> line.substring(line.indexOf(':') + 2))
        .toList();
  }

  private void requireFound() {
    CommandRun audit = CommandRun.of(sweep.command("audit"));
    assertThat(audit.status()).as(audit.out()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out()).contains("DOES NOT AGREE").doesNotContain("Everything agrees");
    CommandRun json = CommandRun.of(sweep.command("audit", "--format", "json"));
    assertThat(json.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(json.out()).contains("\"agrees\" : false");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM charge WHERE what = 'trial 2'",
        "DELETE FROM charge WHERE what = 'score 2'",
        "DELETE FROM charge WHERE what = 'final'",
        "UPDATE charge SET what = 'trial 9' WHERE what = 'trial 2'",
        "UPDATE charge SET parameters = json_set(parameters, '$.count', 4) WHERE what = 'trial 1'",
        "UPDATE charge SET parameters = json_set(parameters, '$.count', 4) WHERE what = 'final'",
        "UPDATE charge SET parameters = json_set(parameters, '$.sigma', 999.0)"
            + " WHERE what = 'trial 1'",
        "UPDATE charge SET parameters = json_set(parameters, '$.sigma', 999.0)"
            + " WHERE what = 'score 3'",
        "UPDATE charge SET parameters = json_set(parameters, '$.sigma', 999.0)"
            + " WHERE what = 'final'",
        "UPDATE charge SET parameters = json_set(parameters, '$.sigma', 0.1) WHERE what = 'final'",
        "INSERT INTO charge(study, what, mechanism, parameters, reserved)"
            + " SELECT study, 'another', mechanism, parameters, reserved FROM charge LIMIT 1",
        "UPDATE trial SET steps_begun = 6 WHERE number = 0",
        "UPDATE trial SET steps_begun = 6 WHERE number = 3"
      })
  void aLedgerThatWasTamperedWith(String sql) throws Exception {
    for (boolean stated : new boolean[] {true, false}) {
      try (StoreView store = StoreView.of(sweep.store())) {
        if (stated) {
          store.execute("DROP TRIGGER charge_is_never_changed");
          store.execute("DROP TRIGGER charge_is_never_refunded");
          store.execute(sql);
        } else {
          // Nor may it need the statement to find it.
          store.execute("UPDATE study SET state = 'RUNNING'");
          Files.delete(study.resolve("statement.json"));
        }
      }
      requireFound();
      // By the entry, and not for want of the statement.
      assertThat(problems()).anyMatch(problem -> problem.contains("entry "));
    }
  }

  /** Whoever can write to the database may compute its hashes, but not those that are out. */
  @Test
  void aLedgerThatWasPutBack_toBeforeItsStatement() throws Exception {
    try (StoreView store = StoreView.of(sweep.store())) {
      store.execute("DROP TRIGGER event_is_never_forgotten");
      store.execute("DROP TRIGGER ledger_only_grows");
      store.execute("DELETE FROM event WHERE entry >= (SELECT entries - 1 FROM study)");
      store.execute(
          "UPDATE study SET entries = entries - 2, state = 'RUNNING',"
              + " head = (SELECT hash FROM event ORDER BY entry DESC LIMIT 1)");
    }
    requireFound();
    String trigger = "the store is damaged: the trigger %s is missing";
    assertThat(problems())
        .hasSize(4)
        .contains(
            trigger.formatted("event_is_never_forgotten"), trigger.formatted("ledger_only_grows"))
        .anyMatch(problem -> problem.contains("behind its witness"))
        .anyMatch(
            problem -> problem.contains("has another hash: the ledger was rewritten or put back"));
  }

  @Test
  void aModelThatWasReplaced() throws IOException {
    LinearModel model = ModelDocument.read(study).model();
    double[] weights = model.weights();
    weights[0] = Math.nextUp(weights[0]);
    NpyArray array = new NpyArray(new int[] {model.features(), model.columns()}, weights);
    NpzFile.write(study.resolve("model.npz"), Map.of("weights", array));
    requireFound();
    assertThat(problems())
        .containsExactly("the model is not the one whose digest is in the ledger");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"epsilon\" : | \"epsilon\" : 0.9e-1, \"was\" : ",
        "\"mu\" : | \"mu\" : 1e-3, \"was\" : ",
        "\"delta\" : 1.0E-5 | \"delta\" : 1.0E-9",
        "\"delta\" : | \"deltas\" :",
        "\"accountant\" : \"gdp\" | \"accountant\" : \"pld\"",
        "\"guarantee\" : \"holds\" | \"guarantee\" : \"void\"",
        "\"adjacency\" : \"add-remove\" | \"adjacency\" : \"replace-one\"",
        "\"what\" : \"trial 1\" | \"what\" : \"trial 7\"",
        "\"count\" : 5 | \"count\" : 4",
        "\"sensitivity\" : 1.0 | \"sensitivity\" : 0.5",
        "\"head\" : \" | \"head\" : \"x",
        "{ | [",
      })
  void aStatementThatWasTamperedWith(String was, String is) throws IOException {
    Path statement = study.resolve("statement.json");
    String text = Files.readString(statement);
    String changed = text.replaceFirst(Pattern.quote(was.strip()), is.strip());
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(statement, changed);
    requireFound();
  }

  @Test
  void aStatementThatIsMissing() throws IOException {
    Files.delete(study.resolve("statement.json"));
    requireFound();
  }

  /** As of another user's umask; here by a link to itself, since the tests may be root's. */
  @Test
  void aStatementThatMayNotBeRead_isNotSaidToBeMissing() throws IOException {
    Path statement = study.resolve("statement.json");
    Files.delete(statement);
    Files.createSymbolicLink(statement, statement);
    assertThat(problems())
        .contains(statement + " may not be read by this user, so it was not compared")
        .noneMatch(problem -> problem.contains("missing"));
  }

  /** A folder may have any name: what it is of stands in it. */
  @Test
  void aStudyIsLost_byWhatItsFolderHolds_andNotByItsName() throws IOException {
    PathUtils.copyDirectory(study, sweep.runs().resolve("kept.bak"));
    Files.move(study, sweep.runs().resolve("renamed"));
    assertThat(problems())
        .containsExactly(study + "/statement.json is missing though the study is finished");
    Files.move(sweep.runs().resolve("renamed"), study);
    CommandRun.of(sweep.command("audit")).succeeded();

    SmallSweep other = SmallSweep.in(Files.createDirectories(folder.resolve("other"))).steps(5);
    Path lost = sweep.runs().resolve("lost-" + study.getFileName());
    Files.move(CommandRun.run(other).succeeded().folder(), lost);
    String sentence =
        lost.getFileName() + " has a statement of a study that the store does not know";
    assertThat(problems()).containsExactly(sentence + ": it was lost");
    Files.writeString(lost.resolve("result.json"), "{");
    Files.move(lost, sweep.runs().resolve("small-00000000"));
    assertThat(problems())
        .anyMatch(problem -> problem.startsWith("small-00000000 has a statement"));
  }

  @Test
  void aStudyThatCannotBePlannedAgain_isNamedAndDoesNotHideTheOthers() throws Exception {
    CommandRun.run(sweep).succeeded();
    try (StoreView store = StoreView.of(sweep.store())) {
      store.execute("DROP TRIGGER study_is_never_another");
      store.execute("UPDATE study SET definition = 'version: 9' WHERE rowid = 1");
    }
    CommandRun audit = CommandRun.of("audit", "--output", sweep.runs().toString());
    assertThat(audit.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out())
        .contains("cannot be planned again")
        .contains("Everything agrees: every question has its charge");
  }

  @Test
  void aStudyThatNoProcessRuns_isListedAsInterrupted() throws Exception {
    try (StoreView store = StoreView.of(sweep.store())) {
      store.execute("UPDATE study SET state = 'RUNNING'");
    }
    assertThat(CommandRun.of("list", "--output", sweep.runs().toString()).succeeded().out())
        .contains("interrupted");
  }

  /** Of six digits the last is rounded up, as it is for what was spent of it. */
  @Test
  void aBudget_andWhatWasSpentOfIt_arePrintedNoSmallerThanTheyAre() throws IOException {
    String[] run = sweep.description("another").command("run");
    Path file = Path.of(run[1]);
    Files.writeString(
        file,
        Files.readString(file).replace("budget: {epsilon: 2,", "budget: {epsilon: 2.1234521,"));
    assertThat(CommandRun.of("plan", run[1]).succeeded().out())
        .contains("budget: epsilon 2.12346 at ");
    CommandRun.of(run).succeeded();
    assertThat(CommandRun.of(sweep.command("audit")).succeeded().out())
        .containsPattern("by integration: .*, epsilon 2.12346\\R")
        .containsPattern("budget: .*, epsilon 2.12346\\R");
  }

  /** The root that finds it is a few ulps off. */
  @Test
  void aRoundBudget_isFoundAgainAsItIs() throws IOException {
    for (String epsilon : List.of("1.25", "2", "3")) {
      String[] run = sweep.description("of " + epsilon).command("run");
      Path file = Path.of(run[1]);
      Files.writeString(
          file,
          Files.readString(file)
              .replace("budget: {epsilon: 2,", "budget: {epsilon: " + epsilon + ","));
      CommandRun.of(run).succeeded();
      assertThat(CommandRun.of(sweep.command("audit")).succeeded().out())
          .containsPattern("by integration: .*, epsilon " + epsilon + "\\R");
    }
  }
}
