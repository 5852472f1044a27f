package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.sweep.DataCard;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code mutune data}: registering data sets, and sweeps that name them. */
class DataSetCommandsTest {
  private static final String SWEEP =
      """
      version: 1
      name: short
      data: people
      features: [{type: scale, min: 0, max: 1}, {type: l2-normalize}]
      budget: {epsilon: 1, delta: 1.0e-4}
      search: {strategy: fixed, space: {logitNoise: 1, steps: 20}}
      train: {method: noisy-gd}
      """;

  @TempDir Path folder;

  @BeforeEach
  void rows() throws IOException {
    SmallSweep.in(folder);
    write("sweep.yaml", SWEEP);
  }

  private String card(String more) {
    return """
        version: 1
        name: people
        description: Made-up rows
        private: {path: private.csv, format: csv, features: 5, classes: 3, rows: 400}
        test: {path: test.csv}
        """
        + more;
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private CommandRun data(String... words) {
    return mutune("data", words);
  }

  private CommandRun mutune(String first, String... words) {
    String[] all = new String[words.length + 3];
    all[0] = first;
    System.arraycopy(words, 0, all, 1, words.length);
    all[words.length + 1] = "--output";
    all[words.length + 2] = folder.resolve("runs").toString();
    return CommandRun.of(all);
  }

  private void add(String card) throws IOException {
    CommandRun added = data("add", write("card.yaml", card).toString());
    assertThat(added.status()).as(added.err()).isZero();
  }

  @Test
  void aSweepThatNamesADataSet_runsAndDrawsOnItsAccount() throws IOException {
    add(card("budget: {mu: 1}\n"));

    CommandRun run = mutune("run", folder.resolve("sweep.yaml").toString());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("one row of data.private of the data set people")
        .contains("the card of the data set people (version 1)");
    assertThat(data("history", "people").out())
        .containsSubsequence("registered", "reserved", "settled");
    assertThat(mutune("audit").status()).isZero();
  }

  @Test
  void adding_showsWhatIsInTheFilesToTheTerminalAlone() throws IOException {
    CommandRun added = data("add", write("card.yaml", card("budget: {mu: 1}\n")).toString());

    assertThat(added.out()).contains("PRIVATE").contains("400 rows of 5 numbers");
    assertThat(data("show", "people").out())
        .contains("rows:       400, private")
        .doesNotContain("private.csv")
        .doesNotContain(folder.toString());
  }

  @Test
  void aUserForWhomNoKeyCanBeMade_registersWithoutASeal() throws Exception {
    String card = write("card.yaml", card("budget: {mu: 1}\n")).toString();
    String runs = folder.resolve("runs").toString();
    List<String> keyless = List.of("env", "MUTUNE_DATA_KEY=/proc/none/key");
    try (MutuneProcess process =
        MutuneProcess.startIn(keyless, "data", "add", card, "--output", runs)) {
      assertThat(process.end().succeeded().err())
          .contains(
              "registered without a seal: /proc/none/key: no key of private files' seals can be"
                  + " made there; MUTUNE_DATA_KEY may name another");
    }
    assertThat(data("show", "people").succeeded().out()).contains("rows:       400, private");
  }

  /** It would drop the seals of the version before. */
  @Test
  void aKeyThatOthersMayRead_registersNothing() throws Exception {
    String card = write("card.yaml", card("budget: {mu: 1}\n")).toString();
    Path key = Files.writeString(folder.resolve("key"), "0".repeat(64));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    try (MutuneProcess process =
        MutuneProcess.startIn(
            List.of("env", "MUTUNE_DATA_KEY=" + key),
            "data",
            "add",
            card,
            "--output",
            folder.resolve("runs").toString())) {
      CommandRun added = process.end();
      assertThat(added.status()).isEqualTo(ExitCode.INVALID);
      assertThat(added.err()).contains("for its owner alone");
    }
    assertThat(data("list").succeeded().out()).doesNotContain("people");
  }

  @Test
  void theColumnsOfATable_areListedByNameAndType() throws IOException {
    write("table.csv", "17,a,zz,0\n90,b,zz,1\n");
    add(
        """
        version: 1
        name: people
        budget: {mu: 1}
        columns:
          age: {type: number, min: 0, max: 120.5}
          job: {type: category, values: [a, b, c], other: true}
          town: {type: hashed, buckets: 64}
          kind: {type: label, values: ["0", "1"]}
        private: {path: table.csv, format: csv, header: false, rows: 2}
        """);

    assertThat(data("show", "people").out())
        .contains(
            """
            columns:    4
              age: number, 0 to 120.5
              job: category, 3 values
              town: hashed, 64 buckets
              kind: label, 2 values
            """);
    assertThat(Json.read(data("show", "people", "--format", "json").out()).path("columns").get(1))
        .isEqualTo(
            Json.read(
                """
                {"name": "job", "type": "category", "values": ["a", "b", "c"], "other": true,
                 "missing": false}"""));
  }

  @Test
  void aFileThatIsNotWhatTheCardSays_registersNothing() throws IOException {
    write("private.csv", "1,2,3,4,5,0\n1,2,zzz,4,5,7\n");

    CommandRun added = data("add", write("card.yaml", card("budget: {mu: 1}\n")).toString());

    assertThat(added.status()).isEqualTo(ExitCode.INVALID);
    assertThat(added.out()).contains("private.csv:2").doesNotContain("zzz");
    assertThat(data("list").out()).doesNotContain("people");
  }

  @Test
  void aFileOfADataSet_isReadAsItsCardSaysAndInNoOtherWay() throws IOException {
    add(card("budget: {mu: 1}\n"));
    String inline =
        SWEEP.replace(
            "data: people",
            "data: {private: {path: private.csv, format: csv, features: 5, classes: 3, rows: 400}}");

    CommandRun without = mutune("run", write("inline.yaml", inline).toString());
    CommandRun with =
        mutune(
            "run",
            write("account.yaml", inline.replace("1.0e-4}", "1.0e-4, account: people}"))
                .toString());

    for (CommandRun refused : new CommandRun[] {without, with}) {
      assertThat(refused.status()).isEqualTo(ExitCode.REFUSED);
      assertThat(refused.err()).contains("is read as its card says");
    }
    assertThat(data("history", "people").out()).doesNotContain("reserved");
  }

  @Test
  void aCardThatNamesAsPublicWhatAnotherProtects_isRefused() throws IOException {
    add(card("budget: {mu: 1}\n"));
    String thief =
        """
        version: 1
        name: thief
        budget: {mu: 1}
        private: {path: test.csv, format: csv, features: 5, classes: 3, rows: 100}
        test: {path: private.csv}
        """;

    CommandRun added = data("add", write("thief.yaml", thief).toString());

    assertThat(added.status()).isEqualTo(ExitCode.REFUSED);
    assertThat(data("list").out()).doesNotContain("thief");
  }

  @Test
  void aRetiredSet_takesNoNewStudies_andFreesNothing() throws IOException {
    add(card("budget: {mu: 1}\n"));
    assertThat(mutune("run", folder.resolve("sweep.yaml").toString()).status()).isZero();
    String left = budget();

    assertThat(data("retire", "people").status()).isZero();

    CommandRun refused = mutune("run", folder.resolve("sweep.yaml").toString());
    assertThat(refused.status()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.err()).contains("is retired");
    String store = folder.resolve("runs/mutune.db").toString();
    String sweep = folder.resolve("sweep.yaml").toString();
    assertThat(CommandRun.of("plan", sweep, "--store", store).succeeded().err())
        .isEqualTo("mutune: the data set is retired: a study of it is refused\n");
    assertThat(budget()).isEqualTo(left);
    assertThat(data("retire", "people").status()).isEqualTo(ExitCode.REFUSED);
    assertThat(data("update", folder.resolve("card.yaml").toString()).status())
        .isEqualTo(ExitCode.REFUSED);
  }

  private String budget() {
    return data("show", "people").out().lines().filter(l -> l.startsWith("budget")).toList().get(0);
  }

  @Test
  void anUpdate_keepsTheAccount_andARaiseIsAnEntryThatStays() throws IOException {
    add(card("budget: {mu: 1}\n"));
    assertThat(mutune("run", folder.resolve("sweep.yaml").toString()).status()).isZero();
    SmallSweep.writeRows(folder.resolve("private.csv"), 300, 5, 3);

    CommandRun dearer = data("update", write("card.yaml", card("budget: {mu: 5}\n")).toString());
    assertThat(dearer.status()).isEqualTo(ExitCode.REFUSED);
    assertThat(dearer.err()).contains("budget: 'mutune data raise people' gives more");
    CommandRun updated = data("update", write("card.yaml", card("budget: {mu: 1}\n")).toString());

    assertThat(updated.status()).as(updated.err()).isZero();
    assertThat(updated.out()).contains("version 2");
    CommandRun again = data("update", folder.resolve("card.yaml").toString()).succeeded();
    assertThat(again.err()).contains("nothing has changed: version 2 stays");
    assertThat(data("list").out()).containsPattern("people +2 +registered");
    // A copy at another place is another file to protect.
    Path rows = folder.resolve("private.csv");
    Path moved = Files.move(rows, folder.resolve("moved.csv"));
    Path copy = Files.copy(moved, folder.resolve("copy.csv"));
    Files.createSymbolicLink(rows, copy);
    assertThat(data("update", folder.resolve("card.yaml").toString()).succeeded().out())
        .contains("version 3");
    assertThat(budget()).contains("mu 1 of the account people");
    assertThat(data("raise", "people", "--mu", "0.5").status()).isEqualTo(ExitCode.REFUSED);
    assertThat(data("raise", "people", "--mu", "2").status()).isZero();
    assertThat(budget()).contains("mu 2 of the account people");
    assertThat(data("history", "people").out())
        .containsSubsequence("registered", "settled", "updated", "raised")
        .doesNotContainPattern("(?s)updated.*updated.*updated");
    assertThat(mutune("audit").status()).isZero();
  }

  @Test
  void setsOfTheSamePeople_shareOneAccount() throws IOException {
    add(card("budget: {mu: 1}\n"));
    SmallSweep.writeRows(folder.resolve("more.csv"), 300, 5, 3);
    String more =
        """
        version: 1
        name: more
        people: people
        private: {path: more.csv, format: csv, features: 5, classes: 3, rows: 300}
        """;

    CommandRun added = data("add", write("more.yaml", more).toString());

    assertThat(added.status()).as(added.err()).isZero();
    String same = card("budget: {mu: 1}\n").replace("name: people", "name: same");
    assertThat(data("add", write("same.yaml", same).toString()).toldWhy(ExitCode.REFUSED))
        .contains("has the rows of the account 'people'; write people: people, in place of budget");
    write("sweep.yaml", SWEEP.replace("data: people", "data: more"));
    assertThat(mutune("run", folder.resolve("sweep.yaml").toString()).status()).isZero();
    assertThat(data("history", "people").out())
        .containsSubsequence("people version 1", "more version 1", "reserved");
    // Under either name it is one account, which says whose it is.
    data("retire", "more");
    String account = mutune("account", "show", "more").succeeded().out();
    assertThat(account).startsWith("people (").contains("data sets:     more (retired), people\n");
    assertThat(mutune("account", "show", "people").out()).isEqualTo(account);
    assertThat(mutune("account", "history", "more").out()).isEqualTo(data("history", "more").out());
    assertThat(mutune("account", "show", "none").err()).contains("there is no account 'none'");
  }

  /** Two classes would be one: both names would be read alike. */
  @Test
  void classesThatAreNotUtf8_areRefused() throws IOException {
    String card =
        """
        version: 1
        name: letters
        budget: {mu: 1}
        columns:
          size: {type: number, min: 0, max: 9}
          kind: {type: label, values: ["j\uFFFD", x]}
        private: {path: letters.csv, format: csv, header: true, rows: 40}
        """;
    Path rows = folder.resolve("letters.csv");
    String text = "size,kind\n" + "1,j\u00e4\n2,j\u00f6\n3,x\n".repeat(20);
    Files.writeString(rows, text, StandardCharsets.ISO_8859_1);
    CommandRun added = data("add", write("letters.yaml", card).toString());
    assertThat(added.toldWhy(ExitCode.INVALID)).contains("nothing was registered");
    assertThat(added.out()).contains("letters.csv:2: is not UTF-8");
    assertThat(data("list").succeeded().out()).doesNotContain("letters");

    write("first.csv", "size,kind\n1,x\n");
    String second = card.replace("path: letters.csv", "path: [first.csv, letters.csv]");
    added = data("add", write("letters.yaml", second).toString());
    assertThat(added.toldWhy(ExitCode.INVALID)).contains("nothing was registered");
    assertThat(added.out()).contains("letters.csv:2: is not UTF-8");

    String ignored = card.replace("columns:", "columns:\n  name: {type: ignore}");
    text = "name,size,kind\n" + "j\u00e4,1,j\nx,2,x\n".repeat(20);
    Files.writeString(rows, text, StandardCharsets.ISO_8859_1);
    added =
        data(
            "add",
            write("letters.yaml", ignored.replace("\uFFFD", "")).toString(),
            "--format",
            "json");
    assertThat(added.status()).isZero();
    assertThat(added.err()).contains("letters.csv:2: is not UTF-8").hasLineCount(1);
  }

  /** Columns of numbers go by their places: one file's would be taken for others. */
  @Test
  void filesWithTheirColumnsInAnotherOrder_areRefused() throws IOException {
    write("one.csv", "a,b,y\n" + "1,2,0\n1,2,1\n".repeat(20));
    write("two.csv", "b,a,y\n" + "2,1,0\n2,1,1\n".repeat(20));
    String numbers = "{path: %s, format: csv, header: true, label: y, features: 2, classes: 2";
    String card =
        "version: 1\nname: numbers\nbudget: {mu: 1}\nprivate: %s, rows: 80}\n"
            .formatted(numbers.formatted("[one.csv, two.csv]"));
    CommandRun added = data("add", write("numbers.yaml", card).toString());
    assertThat(added.toldWhy(ExitCode.INVALID)).contains("nothing was registered");
    assertThat(added.out())
        .contains("two.csv: has the columns of " + folder.resolve("one.csv") + " in another order");

    Path sweep =
        write(
            "numbers-sweep.yaml",
            """
            version: 1
            name: numbers
            data:
              private: %s, rows: 40}
              test: %s}
            budget: {epsilon: 1, delta: 1.0e-4}
            search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
            train: {method: noisy-gd}
            """
                .formatted(numbers.formatted("one.csv"), numbers.formatted("two.csv")));
    assertThat(mutune("run", sweep.toString()).toldWhy(ExitCode.INVALID))
        .contains("two.csv: has the columns of ", "they go by their places");
  }

  /** The files have the rows that are held out too. */
  @Test
  void rowsThatAreHeldOut_countAmongThoseOfTheFiles() throws IOException {
    String held = card("budget: {mu: 1}\nholdOut: {test: 0.3}\n");
    String text = held.replace("test: {path: test.csv}\n", "");
    CommandRun added = data("add", write("card.yaml", text).toString()).succeeded();
    assertThat(added.out()).contains("The file has 400 rows and 400 are stated");

    assertThat(data("show", "people").out())
        .contains("rows:       400, private\n")
        .contains("held out:   about 120 for test, by a keyed hash of each\n");
    JsonNode shown = Json.read(data("show", "people", "--format", "json").out());
    assertThat(shown.path("rows").asInt()).isEqualTo(400);
    assertThat(shown.path("heldOut"))
        .isEqualTo(Json.read("{\"test\": {\"share\": 0.3, \"rows\": 120}}"));
  }

  @Test
  void everyMistakeOfACard_isReportedAtOnceWithItsLine() throws IOException {
    String mistakes =
        """
        version: 2
        nane: people
        budget: {mu: 1, epsilon: 3}
        adjacency: add-row
        people: others
        private:
          pth: private.csv
          format: cssv
          classes: 1
          rows: -4
          features: 5.5
        test: {path: test.csv, private: maybe}
        """;

    CommandRun added = data("add", write("card.yaml", mistakes).toString());

    assertThat(added.status()).isEqualTo(ExitCode.INVALID);
    assertThat(added.err().lines().filter(line -> line.contains("card.yaml:")).count())
        .isGreaterThanOrEqualTo(10);
    assertThat(added.err()).contains("did you mean path?").contains("did you mean csv?");
  }

  @Test
  void everyMistakeOfASweepThatNamesADataSet_isReportedAtOnceWithItsLine() throws IOException {
    add(card("budget: {mu: 1}\n"));
    String mistakes =
        SWEEP
                .replace("name: short", "name: M")
                .replace("epsilon: 1,", "epsilon: -1,")
                .replace("strategy: fixed", "strategy: fixd")
            + "serch: {strategy: fixed}\n";

    String store = folder.resolve("runs/mutune.db").toString();
    CommandRun validated =
        CommandRun.of("validate", write("m.yaml", mistakes).toString(), "--store", store);

    assertThat(validated.toldWhy(ExitCode.INVALID))
        .contains("m.yaml:2: name must be")
        .contains("m.yaml:5: budget.epsilon must be")
        .contains("m.yaml:6: search.strategy must be one of")
        .contains("m.yaml:8: serch is not a known key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "card = replace(card, 'rows: 400', 'rows: 999')",
        "at = '2001-02-03T04:05:06Z'",
      })
  void theWholeCard_andItsTime_areWhatTheAuditKnows(String change) throws Exception {
    add(card("budget: {mu: 1}\n"));
    assertThat(mutune("run", folder.resolve("sweep.yaml").toString()).status()).isZero();

    try (StoreView store = StoreView.of(folder.resolve("runs/mutune.db"))) {
      store.execute("DROP TRIGGER data_set_is_never_changed");
      store.execute("UPDATE data_set SET " + change);
    }

    CommandRun audit = mutune("audit");
    assertThat(audit.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out())
        .contains("the card of data set people version 1 is not what was registered");
  }

  @Test
  void theEntriesOfALedger_areANumber() throws IOException {
    add(card("budget: {mu: 1}\n"));
    String[] show = {"show", "people", "--format", "json"};
    JsonNode ledger = Json.read(mutune("account", show).succeeded().out()).path("ledger");
    assertThat(ledger.path("entries").isIntegralNumber()).isTrue();
    JsonNode audit = Json.read(mutune("audit", "--format", "json").succeeded().out());
    assertThat(audit.at("/accounts/0/ledger/entries")).isEqualTo(ledger.path("entries"));
  }

  @Test
  void withoutASweep_thePlainOneIsWrittenAndRun() throws IOException {
    add(card("budget: {epsilon: 8, delta: 1.0e-5}\n"));
    assertThat(mutune("run", "--data", "nobody", "--epsilon", "1").status())
        .isEqualTo(ExitCode.INVALID);
    assertThat(mutune("run").err()).contains("--data and --epsilon");
    assertThat(mutune("run", "--data", "people", "--epsilon", "0").failedWith(ExitCode.INVALID))
        .isEqualTo("mutune: --epsilon must be a number above 0; was 0.0");
    assertThat(
            mutune("run", "--data", "people", "--epsilon", "1", "--delta", "0.1")
                .failedWith(ExitCode.INVALID))
        .isEqualTo(
            "mutune: the plain sweep of people: --delta must be above 0 and below 1/rows (0.0025);"
                + " was 0.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "test: {path: test.csv} | test: {path: test.csv, private: true, rows: 100}",
        "test: {path: test.csv} | holdOut: {test: 0.2}"
      })
  void thePlainSweepOfASetWithPrivateTestRows_scoresThemAtACharge(String part, String other)
      throws IOException {
    add(card("budget: {epsilon: 8, delta: 1.0e-5}\n").replace(part, other));

    String store = folder.resolve("runs/mutune.db").toString();
    for (String epsilon : new String[] {"1", "2.5"}) {
      assertThat(
              CommandRun.of("plan", "--data", "people", "--epsilon", epsilon, "--store", store)
                  .succeeded()
                  .out())
          .contains("trial 1", "score 2", "final", "test score");
    }
  }

  @Test
  void theCardsToCopyFrom_areValid() throws IOException {
    Path cards = Path.of(System.getProperty("mutune.root", "..")).resolve("sweeps/cards");
    SweepContext context = new SweepContext(folder, folder, Map.of("MUTUNE_DATA", "/data"));
    try (Stream<Path> files = Files.list(cards)) {
      for (Path file : files.toList()) {
        DataCard card = DataCardReader.read(file.toString(), Files.readString(file), context);
        assertThat(file.getFileName()).hasToString(card.name() + ".yaml");
        assertThat(card.data().sources()).hasSize(2);
      }
    }
  }
}
