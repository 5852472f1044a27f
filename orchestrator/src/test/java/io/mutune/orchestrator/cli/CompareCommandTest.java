package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.testing.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Timeout(600)
class CompareCommandTest {
  private static final List<String> ALL =
      List.of(
          ("random grid successive-halving random-stopping subsampled-tuning fixed scale-free"
                  + " linear-scaling linear-scaling-paper")
              .split(" "));

  @TempDir Path folder;

  private SmallSweep sweep() throws IOException {
    return SmallSweep.in(folder).steps(20).declaredPublic();
  }

  private CommandRun compare(SmallSweep sweep, String... more) {
    return CommandRun.of(sweep.command("compare", more));
  }

  private ObjectNode figures(String name, String... more) throws IOException {
    Path out = folder.resolve(name);
    String[] words = Arrays.copyOf(more, more.length + 2);
    words[more.length] = "--output";
    words[more.length + 1] = out.toString();
    compare(sweep(), words).succeeded();
    return Json.read(Files.readString(out));
  }

  /** Whose card says so: what is compared is a study of nobody's budget. */
  @Test
  void aRegisteredSetThatIsSimulated_isCompared_andAnewOnceItsCardSaysOtherwise()
      throws IOException {
    OwnedTable table = OwnedTable.in(folder);
    table.rows("test.csv", 2);
    String open = "private: {path: rows.csv, declared: simulated,";
    Path card =
        table.card(
            "people", "rows.csv", "cache: " + folder.resolve("kept"), "test: {path: test.csv}\n");
    Files.writeString(card, Files.readString(card).replace("private: {path: rows.csv,", open));
    table.mutune("data", "add", card.toString()).succeeded();
    Path sweep =
        table.write(
            "sweep.yaml",
            """
            version: 1
            name: compared
            data: people
            budget: {epsilon: 3, delta: 1.0e-4}
            search: {strategy: scale-free, space: {logitNoise: {min: 0.5, max: 2}, steps: 4}}
            """);
    Path journal = folder.resolve("journal");
    String[] words = {
      "compare",
      sweep.toString(),
      "--with",
      "fixed,scale-free",
      "--repeat",
      "1",
      "--journal",
      journal.toString(),
      "--store",
      folder.resolve("runs/mutune.db").toString(),
      "--output",
      folder.resolve("compare.json").toString()
    };
    assertThat(CommandRun.of(words).succeeded().out()).contains("fixed", "scale-free");
    int all = Files.readAllLines(journal).size();

    Files.writeString(
        card,
        Files.readString(card).replace("rows: 300}", "rows: 200, range: {first: 1, last: 200}}"));
    table.mutune("data", "update", card.toString()).succeeded();
    CommandRun.of(words).succeeded();

    assertThat(Files.readAllLines(journal)).hasSize(2 * all).doesNotHaveDuplicates();
  }

  @Test
  void everyStrategy_spendsTheBudgetAndNoMore_andTheTableHasThemAll() throws IOException {
    ObjectNode json = figures("all.json", "--with", String.join(",", ALL), "--repeat", "2");

    JsonNode strategies = json.path("strategies");
    assertThat(strategies.size()).isEqualTo(ALL.size());
    for (int i = 0; i < ALL.size(); i++) {
      JsonNode entry = strategies.get(i);
      assertThat(entry.path("strategy").asString()).isEqualTo(ALL.get(i));
      // Rounding and, for random stopping, seven digits of noise leave a little of it.
      assertThat(entry.path("epsilon").asDouble()).isBetween(2 * (1 - 1e-5), 2.0);
      assertThat(entry.path("accuracy").path("values").size()).isEqualTo(2);
      assertThat(entry.path("guarantee").asString())
          .isEqualTo(ALL.get(i).equals("linear-scaling-paper") ? "void" : "holds");
    }
    double fixed = mean(strategies.get(ALL.indexOf("fixed")));
    for (JsonNode entry : strategies) {
      JsonNode over = entry.path("overFixed");
      assertThat(over.isMissingNode()).isEqualTo(entry.path("strategy").asString().equals("fixed"));
      if (!over.isMissingNode()) {
        assertThat(over.path("value").asDouble()).isEqualTo(mean(entry) - fixed, within(1e-12));
        assertThat(over.path("standardError").asDouble()).isNotNegative();
      }
    }
    assertThat(strategies.get(ALL.indexOf("random")).has("rerr")).isFalse();
    assertThat(json.path("oracle").path("charged").asBoolean(true)).isFalse();
    assertThat(json.path("notice").asString()).contains("declares public", "not charged");
  }

  @Test
  void whatCannotBeLeft_isFoundBeforeAStudyRuns() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "mine");
    for (String[] options :
        List.of(
            new String[] {"--output", Files.createDirectory(folder.resolve("here")).toString()},
            new String[] {"--output", file.resolve("compare.json").toString()},
            new String[] {"--journal", folder.resolve("nowhere/journal").toString()},
            new String[] {"--journal", file.toString()})) {
      CommandRun run = compare(sweep(), options);

      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).contains(options[1]).doesNotContain("oracle: a lattice");
    }
    assertThat(file).hasContent("mine");
  }

  /** Where ν says nothing a line without trials would have nothing to go by. */
  @Test
  void aMethodWithoutALogitNoise_hasTrialsOfALine_howeverFewRowsThereAre() throws IOException {
    SmallSweep sweep =
        sweep()
            .search("{strategy: random, space: {learningRate: {min: 0.01, max: 0.3}, steps: 9}}")
            .train("{method: dp-adam, samplingRate: 1}");

    String out = folder.resolve("compared.json").toString();
    compare(sweep, "--with", "random,linear-scaling", "--repeat", "2", "--output", out).succeeded();
  }

  /** Its plan is fixed beforehand, and random stopping, which that excludes, is not asked for. */
  @Test
  void aMethodWhoseChargesHaveNoMu_hasItsUsualComparison() throws IOException {
    SmallSweep sweep =
        sweep()
            .search("{strategy: random, space: {learningRate: {min: 0.01, max: 0.3}, steps: 9}}")
            .train("{method: dp-sgd, samplingRate: 0.5, clipNorm: 1}");

    Path out = folder.resolve("compared.json");
    CommandRun run = compare(sweep, "--repeat", "1", "--output", out.toString()).succeeded();

    assertThat(run.err()).contains("mutune: left out: random-stopping must not be with dp-sgd: ");
    assertThat(Json.read(Files.readString(out)).path("strategies"))
        .extracting(entry -> entry.path("strategy").asString())
        .containsExactly("random", "grid", "fixed", "scale-free", "linear-scaling");
  }

  private static double mean(JsonNode entry) {
    return entry.path("accuracy").path("mean").asDouble();
  }

  @Test
  @Thorough
  void theSameSeed_givesTheSameFigures_andAnotherOthers() throws IOException {
    String[] words = {"--with", "random,random-stopping,scale-free", "--repeat", "2"};
    ObjectNode one = withoutTimes(figures("one.json", words));

    assertThat(withoutTimes(figures("two.json", words))).isEqualTo(one);
    assertThat(
            withoutTimes(figures("three.json", "--with", words[1], "--repeat", "2", "--seed", "9")))
        .isNotEqualTo(one);
  }

  @Test
  void aJournal_givesTheSameFigures_withoutRunningWhatItHas() throws IOException {
    Path journal = folder.resolve("journal");
    String[] words = {
      "--with", "random,scale-free", "--repeat", "2", "--journal", journal.toString()
    };
    ObjectNode one = figures("one.json", words);
    List<String> kept = Files.readAllLines(journal);
    Files.write(journal, kept.subList(0, kept.size() - 1));

    assertThat(withoutTimes(figures("two.json", words))).isEqualTo(withoutTimes(one));
    // 36 points of the oracle twice, its best again, and two studies of each strategy.
    assertThat(kept).hasSize(72 + 2 + 4).doesNotHaveDuplicates();
    assertThat(Files.readAllLines(journal)).hasSameSizeAs(kept);
    // What does not look through the range is taken over from one to another.
    figures(
        "three.json",
        "--with",
        "scale-free",
        "--repeat",
        "2",
        "--range",
        "careless",
        "--journal",
        journal.toString());
    assertThat(Files.readAllLines(journal)).hasSizeGreaterThan(kept.size());
    assertThat(Files.readAllLines(journal)).filteredOn(l -> l.contains("scale-free")).hasSize(2);
  }

  @Test
  void aJournal_takesNothingOverToDataThatChanged() throws IOException {
    Path journal = folder.resolve("journal");
    SmallSweep sweep = sweep();
    String out = folder.resolve("out.json").toString();
    String[] words = {
      "--with", "fixed", "--repeat", "1", "--journal", journal.toString(), "--output", out
    };
    compare(sweep, words).succeeded();
    int all = Files.readAllLines(journal).size();
    compare(sweep, words).succeeded();
    assertThat(Files.readAllLines(journal)).hasSize(all);

    List<String> rows = Files.readAllLines(sweep.testRows());
    Files.write(sweep.testRows(), rows.subList(0, rows.size() - 1));
    compare(sweep, words).succeeded();

    assertThat(Files.readAllLines(journal)).hasSize(2 * all).doesNotHaveDuplicates();
  }

  @Test
  void fewerLooksAtFirst_lookAgainAtTheBetterPointsAlone_andSaySo() throws IOException {
    Path journal = folder.resolve("looks.journal");
    ObjectNode json =
        figures(
            "looks.json",
            "--with",
            "fixed",
            "--repeat",
            "4",
            "--looks",
            "1",
            "--journal",
            journal.toString());

    JsonNode oracle = json.path("oracle");
    assertThat(oracle.path("looks").asInt()).isEqualTo(1);
    assertThat(oracle.path("accuracy").path("values").size()).isEqualTo(4);
    List<String> looks =
        Files.readAllLines(journal).stream()
            .filter(line -> line.contains("oracle, point"))
            .toList();
    assertThat(looks.stream().filter(line -> line.contains("repeat 1,"))).hasSize(36);
    assertThat(looks.stream().filter(line -> line.contains("repeat 2,"))).hasSize(12);
    assertThat(looks.stream().filter(line -> line.contains("repeat 3,"))).hasSize(12);
    assertThat(looks.stream().filter(line -> line.contains("repeat 4,"))).hasSize(4);
  }

  private static ObjectNode withoutTimes(ObjectNode json) {
    ((ObjectNode) json.path("oracle")).remove("seconds");
    json.path("strategies").forEach(entry -> ((ObjectNode) entry).remove("seconds"));
    return json;
  }

  @Test
  void privateRows_areRefusedBeforeTheyAreRead() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder);
    Files.delete(sweep.privateRows());

    assertThat(compare(sweep).failedWith(ExitCode.INVALID)).contains("declared: public");
  }

  /** What {@code declared} says is about data.private alone. */
  @Test
  void privateValidationRows_areRefusedBeforeTheyAreRead() throws IOException {
    SmallSweep sweep = sweep().privateValidation();
    Files.delete(sweep.privateRows());

    assertThat(compare(sweep).failedWith(ExitCode.INVALID))
        .contains("data.validation must not be private");
  }

  @ParameterizedTest
  @CsvSource({
    "--with, best, --with takes",
    "--repeat, 0, --repeat must be",
    "--range, wide, --range must be",
    "--seed, -1, --seed must be",
    "--looks, 11, --looks must be",
    "--looks, 0, --looks must be from 1 to --repeat; was 0"
  })
  void anOptionThatMakesNoSense_isNamed(String option, String value, String message)
      throws IOException {
    assertThat(compare(sweep(), option, value).failedWith(ExitCode.INVALID)).contains(message);
  }

  @Test
  void theSweepAndItsFiles_areNotWrittenOver() throws IOException {
    SmallSweep small = sweep();
    Path sweep = Path.of(small.command("compare")[1]);
    for (Path read : List.of(sweep, folder.resolve("private.csv"), folder.resolve("test.csv"))) {
      byte[] before = Files.readAllBytes(read);
      assertThat(compare(small, "--output", read.toString()).failedWith(ExitCode.INVALID))
          .contains("--output " + read + ": is read here; name another file");
      assertThat(read).hasBinaryContent(before);
    }
  }

  /** The page and the figures are left beside the document that is named. */
  @Test
  void aDocumentOfAStudy_andWhatStandsInThePlaceOfThePage_areNotWrittenOver() throws IOException {
    Path study = Files.createDirectory(folder.resolve("study"));
    Files.writeString(study.resolve("statement.json"), "{}");
    Path report = Files.writeString(study.resolve("report.html"), "a report");
    for (String name : List.of("result.json", "report.json")) {
      Path output = study.resolve(name);
      assertThat(compare(sweep(), "--output", output.toString()).failedWith(ExitCode.INVALID))
          .endsWith(": is a document of the study; name another file");
    }
    assertThat(report).hasContent("a report");

    SmallSweep small = sweep();
    Path page = Files.copy(small.testRows(), folder.resolve("rows.html"));
    Path written = Path.of(small.command("compare")[1]);
    String text = Files.readString(written).replace("test.csv", "rows.html");
    Path sweep = Files.writeString(folder.resolve("page.yaml"), text);
    String output = folder.resolve("rows.json").toString();
    assertThat(
            CommandRun.of("compare", sweep.toString(), "--output", output)
                .failedWith(ExitCode.INVALID))
        .contains("--output " + page + ": is read here; name another file");
    assertThat(page).hasSameBinaryContentAs(small.testRows());
  }

  @Test
  void itsLastLines_nameWhatWasLeft_andOneIsNotMany() throws IOException {
    Path out = folder.resolve("one.json");
    String[] words = {"--with", "fixed", "--repeat", "1", "--output", out.toString()};
    CommandRun run = compare(sweep(), words).succeeded();

    assertThat(run.out())
        .endsWith(
            "\n%s\n%s\n%s\n"
                .formatted(out, folder.resolve("one.html"), folder.resolve("one-figures")))
        .contains(
            "; 1 repeat, ", "each looked at 1 time: ", "spread and least: of the test accuracies")
        .doesNotContain("over fixed");
    assertThat(run.err()).contains("fixed: 1 study\n").doesNotContain("is there already");
    assertThat(folder.resolve("one.html"))
        .content()
        .contains(">tuning</th>")
        .doesNotContain(">spread</th>", ">over fixed</th>", ">guards</th>");
    assertThat(compare(sweep(), words).succeeded().err())
        .contains(out + " is there already and will be replaced at the end");
  }

  @Test
  void aStrategyNamedTwice_isRefused() throws IOException {
    assertThat(compare(sweep(), "--with", "fixed,fixed").failedWith(ExitCode.INVALID))
        .contains("twice");
  }
}
