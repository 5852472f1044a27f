package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Timeout(120)
class ReproduceCommandTest {
  private static final String HEAD =
      """
      title: A table
      paper: Somebody (2020), Table 1
      counted: One run.
      seeds: The repeat's number.
      figure: accuracy
      repeats: 3
      quick: 2
      files: [rows.csv]
      shuffled: {rows.csv: 1}
      parts:
        ours: "train: {method: noisy-gd, loss: {{loss}}}"
      sweep: |
        version: 1
        name: claim
        data:
          private:
            declared: simulated
            path: ${SHUFFLED}/rows.csv
            format: csv
            header: false
            label: last
            classes: 2
            rows: 100
            range: {first: 1, last: 100}
          test: {path: "${SHUFFLED}/rows.csv", range: {first: 101, last: 140}}
        features: [{type: l2-normalize}]
        budget: {epsilon: 2, delta: 1.0e-5}
        search: {strategy: fixed, space: {logitNoise: {{noise}}, steps: 5}}
        {{method}}
        run: {noise: {seed: {{repeat}}}}
      claims:
      """;

  private static final String UNSEEDED =
      HEAD.replace("run: {noise: {seed: {{repeat}}}}", "description: \"{{repeat}}\"");

  @TempDir Path folder;
  private ClaimFolder claims;

  @BeforeEach
  void writeRows() throws IOException {
    claims = ClaimFolder.in(folder);
  }

  /** They would be read many times over, and what is shuffled is left in the clear. */
  @Test
  void privateRowsToScoreOn_areRefusedBeforeAnythingIsWritten() throws IOException {
    claims.write(
        UNSEEDED.replace(
                "    test: {",
                "    validation: {path: \"${SHUFFLED}/other.csv\", private: true, rows: 50}\n    test: {")
            + "  low: {with: {method: ours, loss: logistic, noise: \"1\"}}\n");

    CommandRun refused = claims.reproduce("table");

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("table/low: ", "data.test must not be private");
    assertThat(folder.resolve("out/work/shuffled")).doesNotExist();
  }

  /** Each repeat has a mean of its own, charged with the rest, and is noted once it has ended. */
  @Test
  void aClaim_canTakeAPrivateMeanAway() throws IOException {
    String mean = "[{type: private-mean, epsilon: 0.1, clipNorm: 1}]";
    claims.write(
        HEAD.replace("[{type: l2-normalize}]", mean)
                .replace("rows: 100", "features: 2\n      rows: 100")
            + "  low: {published: 0.1, with: {method: ours, loss: logistic, noise: \"1\"}}\n");

    claims.reproduce("table").succeeded();

    JsonNode low = ClaimFolder.claim(claims.document(), "low");
    assertThat(low.path("verdict").asString()).isEqualTo("better");
    assertThat(low.path("ours").path("finalEpsilon").asDouble())
        .isLessThan(low.path("ours").path("epsilon").asDouble());
    assertThat(Files.readAllLines(folder.resolve("out/work/table.journal")))
        .extracting(line -> Json.read(line).path("outcome").path("seconds").asDouble())
        .hasSizeGreaterThan(1)
        .doesNotHaveDuplicates();
  }

  @Test
  void aDifference_tellsTheLargerEpsilonOfBothItsWays() throws IOException {
    claims.write(
        HEAD.replace("{epsilon: 2,", "{epsilon: {{total}},")
            + """
              more:
                with: {method: ours, loss: logistic, noise: "1", total: "1"}
                minus: {method: ours, loss: logistic, noise: "1", total: "2"}
            """);

    claims.reproduce("table").succeeded();

    JsonNode ours = ClaimFolder.claim(claims.document(), "more").path("ours");
    // Digits of σ leave a little of the budget.
    assertThat(ours.path("epsilon").asDouble()).isEqualTo(2, within(1e-6));
    assertThat(ours.path("finalEpsilon").asDouble()).isEqualTo(2, within(1e-6));
  }

  @Test
  void aModelWithoutProtection_hasNoEpsilon() throws IOException {
    claims.write(
        HEAD.replace("  ours:", "  open: \"train: {method: not-private, loss: {{loss}}}\"\n  ours:")
                .replace(
                    "{strategy: fixed, space: {logitNoise: {{noise}}, steps: 5}}", "{{search}}")
            + """
              open:
                with: {method: open, loss: logistic, search: "{strategy: fixed}"}
              lost:
                with: {method: ours, loss: logistic, search: "{strategy: fixed, space: {logitNoise: 1, steps: 5}}"}
                minus: {method: open, loss: logistic, search: "{strategy: fixed}"}
            """);

    claims.reproduce("table").succeeded();

    JsonNode open = ClaimFolder.claim(claims.document(), "open").path("ours");
    assertThat(open.path("value").asDouble()).isGreaterThan(0.8);
    assertThat(open.has("epsilon")).isFalse();
    assertThat(open.has("finalEpsilon")).isFalse();
    assertThat(Files.readString(folder.resolve("out/table.md")))
        .containsPattern("\\| open \\|.*\\| none holds \\| none holds \\|");
    JsonNode lost = ClaimFolder.claim(claims.document(), "lost").path("ours");
    assertThat(lost.path("epsilon").asDouble()).isEqualTo(2, within(1e-6));
  }

  @Test
  void aClaim_hasAVerdict_byTheIntervalOfItsRepeats() throws IOException {
    claims.write(
        HEAD
            + """
              low: {published: 0.1, with: {method: ours, loss: logistic, noise: "1"}}
              high: {published: 2, with: {method: ours, loss: logistic, noise: "1"}, reason: No model passes 1.}
              same:
                published: 0
                with: {method: ours, loss: logistic, noise: "1"}
                minus: {method: ours, loss: logistic, noise: "1"}
              without: {with: {method: ours, loss: logistic, noise: "1"}}
              never: {published: 0.9, notObtainable: Its rows are lost.}
              absent: {published: 0.9, with: {method: ours, loss: logistic, noise: "1"}, files: [other.csv]}
            """);

    CommandRun run = claims.reproduce("table").succeeded();

    assertThat(run.out()).contains("table.md");
    ObjectNode document = claims.document();
    assertThat(ClaimFolder.claim(document, "low").path("verdict").asString()).isEqualTo("better");
    assertThat(ClaimFolder.claim(document, "high").path("verdict").asString()).isEqualTo("worse");
    assertThat(ClaimFolder.claim(document, "high").path("why").asString())
        .isEqualTo("No model passes 1.");
    assertThat(ClaimFolder.claim(document, "same").path("verdict").asString()).isEqualTo("equal");
    assertThat(ClaimFolder.claim(document, "same").path("ours").path("value").asDouble()).isZero();
    assertThat(ClaimFolder.claim(document, "without").path("verdict").asString()).isEmpty();
    assertThat(ClaimFolder.claim(document, "never").path("verdict").asString())
        .isEqualTo("not obtainable");
    JsonNode absent = ClaimFolder.claim(document, "absent");
    assertThat(absent.path("verdict").asString()).isEqualTo("not tried");
    assertThat(absent.path("why").asString()).contains("other.csv");
    JsonNode ours = ClaimFolder.claim(document, "low").path("ours");
    assertThat(ours.path("repeats").asInt()).isEqualTo(3);
    // A fixed plan is the final run alone; digits of σ leave a little of the budget.
    assertThat(ours.path("epsilon").asDouble()).isEqualTo(2, within(1e-6));
    assertThat(ours.path("finalEpsilon").asDouble()).isEqualTo(2, within(1e-6));
    assertThat(ours.path("low").asDouble()).isLessThanOrEqualTo(ours.path("value").asDouble());
    String page = Files.readString(folder.resolve("out/table.md"));
    assertThat(page)
        .contains(
            "| high | 200",
            "./mutune reproduce table --claims FOLDER --data FOLDER",
            "Its rows are lost.",
            "## Not tried\n\n- `absent`: Not in the folder of data: other.csv.")
        .contains("figures/table.svg");
    assertThat(folder.resolve("out/figures/table.svg")).exists();
    assertThat(Files.readString(folder.resolve("out.md")))
        .contains(
            "[A table](out/table.md)", "1 not obtainable, 1 not tried", "](out/figures/table.svg)");
  }

  @Test
  void aClaimOnRowsEpsilon_hasTheMiddleOfWhatEachHasCost() throws IOException {
    String keeping =
        HEAD.replace("figure: accuracy", "figure: row-epsilon")
            .replace(
                "  {{method}}",
                "  output: {perInstance: \"${SHUFFLED}/{{kept}}.csv\"}\n  {{method}}");
    claims.write(
        keeping + "  kept: {with: {method: ours, loss: logistic, noise: \"9\", kept: one}}\n");

    claims.reproduce("table", "--quick").succeeded();

    double middle =
        ClaimFolder.claim(claims.document(), "kept").path("ours").path("value").asDouble();
    double sum = 0;
    for (int repeat = 1; repeat <= 2; repeat++) {
      List<Double> each = new ArrayList<>();
      for (String line :
          Files.readAllLines(folder.resolve("out/work/shuffled/" + repeat + "/one.csv"))) {
        if (line.matches("[0-9].*")) {
          each.add(Double.valueOf(line.substring(line.lastIndexOf(',') + 1)));
        }
      }
      assertThat(each).hasSize(100);
      each.sort(null);
      sum += each.get(50);
    }
    // The mean of two rounds once more than half of their sum.
    assertThat(middle).isCloseTo(sum / 2, within(1e-12)).isLessThan(2);
    claims.write(HEAD.replace("figure: accuracy", "figure: row-epsilon") + NONE_KEPT);
    assertThat(claims.reproduce("table", "--quick").failedWith(ExitCode.INVALID))
        .contains("has output.perInstance");
  }

  private static final String NONE_KEPT =
      "  kept: {with: {method: ours, loss: logistic, noise: \"9\"}}\n";

  @Test
  void aClaimOnTheLogLoss_isInNats_andLessIsBetter() throws IOException {
    claims.write(
        HEAD.replace("figure: accuracy", "figure: log-loss")
            + """
              low: {published: 0.001, with: {method: ours, loss: logistic, noise: "1"}}
              high: {published: 9, with: {method: ours, loss: logistic, noise: "1"}}
            """);

    claims.reproduce("table", "--quick").succeeded();

    ObjectNode document = claims.document();
    assertThat(ClaimFolder.claim(document, "low").path("verdict").asString()).isEqualTo("worse");
    assertThat(ClaimFolder.claim(document, "high").path("verdict").asString()).isEqualTo("better");
    assertThat(Files.readString(folder.resolve("out/table.md"))).contains("| high | 9 | 0.");
  }

  @Test
  void whatEnded_isNotRunAgain_andMoreRepeatsAreAdded() throws IOException {
    claims.write(
        HEAD + "  one: {published: 0.1, with: {method: ours, loss: logistic, noise: \"1\"}}\n");
    Path journal = folder.resolve("out/work/table.journal");

    claims.reproduce("all", "--quick").succeeded();
    List<String> quick = Files.readAllLines(journal);
    claims.reproduce("all").succeeded();
    List<String> whole = Files.readAllLines(journal);
    String figures = ClaimFolder.claim(claims.document(), "one").path("ours").toString();
    claims.reproduce("all").succeeded();

    assertThat(quick).hasSize(2);
    assertThat(whole).hasSize(3).startsWith(quick.toArray(String[]::new));
    assertThat(Files.readAllLines(journal)).isEqualTo(whole);
    assertThat(ClaimFolder.claim(claims.document(), "one").path("ours").toString())
        .isEqualTo(figures);
  }

  @Test
  void aRepeat_hasRowsAndNoiseOfItsOwn_andTheSameOnesAgain() throws IOException {
    claims.write(
        HEAD + "  one: {published: 0.1, with: {method: ours, loss: logistic, noise: \"9\"}}\n");
    Path shuffled = folder.resolve("out/work/shuffled");

    claims.reproduce("table", "--quick").succeeded();
    String first = Files.readString(shuffled.resolve("1/rows.csv"));
    String value =
        ClaimFolder.claim(claims.document(), "one").path("ours").path("value").toString();
    Files.delete(shuffled.resolve("1/rows.csv"));
    Files.delete(folder.resolve("out/work/table.journal"));
    claims.reproduce("table", "--quick").succeeded();

    assertThat(first.lines()).hasSize(140).doesNotContain("x,y,label");
    assertThat(Files.readString(shuffled.resolve("1/rows.csv"))).isEqualTo(first);
    assertThat(Files.readString(shuffled.resolve("2/rows.csv"))).isNotEqualTo(first);
    assertThat(ClaimFolder.claim(claims.document(), "one").path("ours").path("value").toString())
        .isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one: {with: {method: ours, loss: logistic}}      | {{noise}}
          one: {with: {method: ours, noise: "1"}}          | {{loss}}
          one: {published: 1}                              | one of sweep, with, compare and notObtainable
          one: {published: 1, withe: {a: b}}               | withe
          one: {notObtainable: x, with: {a: b}}            | one of sweep, with, compare and notObtainable
          """)
  void aClaimThatCannotBe_isNamed(String claim, String said) throws IOException {
    claims.write(HEAD + "  " + claim + "\n");

    assertThat(claims.reproduce("table").toldWhy(2)).contains("table.yaml", said);
  }

  @Test
  void whatIsNotThere_isSaid() throws IOException {
    claims.write(HEAD + "  one: {with: {method: ours, loss: logistic, noise: \"1\"}}\n");

    assertThat(claims.reproduce("tabel").toldWhy(2)).contains("tabel", "there are table");
    assertThat(claims.reproduce("list").succeeded().out()).contains("table", "1 claim ", "A table");
    Files.delete(folder.resolve("data/rows.csv"));
    for (String name : List.of("table", "all")) {
      assertThat(claims.reproduce(name).failedWith(ExitCode.INVALID))
          .contains("table: left out", "rows.csv");
    }
    assertThat(folder.resolve("out/table.md")).doesNotExist();
  }

  @Test
  void figures_areKeptWhereNoneCanBeMade_andWhoNamedTheTableIsTold() throws IOException {
    String one = "  one: {files: [rows.csv], with: {method: ours, loss: logistic, noise: \"1\"}}\n";
    claims.write(HEAD.replace("files: [rows.csv]\n", "") + one);
    claims.reproduce("table", "--quick").succeeded();
    String page = Files.readString(folder.resolve("out/table.md"));
    Files.delete(folder.resolve("data/rows.csv"));

    assertThat(claims.reproduce("table").failedWith(ExitCode.INVALID))
        .contains("table: left out", "Not in the folder of data: rows.csv.");
    assertThat(folder.resolve("out/table.md")).hasContent(page);
    assertThat(folder.resolve("out/table.json")).content().contains("\"ours\"");
    Files.delete(folder.resolve("data"));
    assertThat(claims.reproduce("all").failedWith(ExitCode.INVALID))
        .contains("data: is no folder of data files");
    assertThat(folder.resolve("out/table.md")).hasContent(page);
  }

  /** Of all tables one is enough. */
  @Test
  void tablesLeftOut_areSaidBesideTheOthers() throws IOException {
    String one = "  one: {with: {method: ours, loss: logistic, noise: \"1\"}}\n";
    claims.write(HEAD + one);
    Files.writeString(
        folder.resolve("sweeps/claims/other.yaml"),
        HEAD.replace("files: [rows.csv]", "files: [other.csv]") + one);
    Files.writeString(
        folder.resolve("sweeps/claims/slow.yaml"), HEAD.replace("quick: 2", "quick: 0") + one);

    CommandRun all = claims.reproduce("all", "--quick").succeeded();

    assertThat(all.out()).contains("table.md").doesNotContain("other.md", "slow.md");
    assertThat(all.err()).contains("other: left out", "other.csv", "slow: left out");
    assertThat(claims.reproduce("slow", "--quick").failedWith(ExitCode.INVALID))
        .contains("slow: left out, since one repeat");
  }

  @Test
  void aFileInThePlaceOfTheFolderOfPages_isNamed() throws IOException {
    claims.write(HEAD + "  one: {with: {method: ours, loss: logistic, noise: \"1\"}}\n");
    Files.writeString(folder.resolve("out"), "mine");

    assertThat(claims.reproduce("table").failedWith(ExitCode.INVALID))
        .contains("out: is where pages go, and is no folder");
  }

  @Test
  void aFolderOrAPipe_inAFilesPlace_isNamedAndNotOpened() throws Exception {
    String one = "  one: {with: {method: ours, loss: logistic, noise: \"1\"}}\n";
    claims.write(HEAD + one);
    Path rows = folder.resolve("data/rows.csv");
    Pipe.replace(rows); // an open would wait for ever
    assertThat(claims.reproduce("all").failedWith(ExitCode.INVALID))
        .contains("left out", "rows.csv");
    claims.write(HEAD.replace("files: [rows.csv]", "") + one);
    assertThat(claims.reproduce("all").failedWith(ExitCode.INVALID))
        .endsWith(rows + ": is not a regular file");

    Path table = folder.resolve("sweeps/claims/table.yaml");
    Files.write(table, new byte[] {(byte) 0xff});
    assertThat(claims.reproduce("list").failedWith(ExitCode.INVALID))
        .endsWith(table + ": is not UTF-8 text");
    Files.delete(table);
    Files.createDirectory(table);
    assertThat(claims.reproduce("list").failedWith(ExitCode.INVALID))
        .endsWith(table + ": is not a regular file");
  }

  /** Whatever a claim says of them; a study of the account read them first. */
  @Test
  void rowsOfAnAccount_areNotTried() throws IOException {
    String one = "  one: {with: {method: ours, loss: logistic, noise: \"1\"}}\n";
    claims.write(HEAD + one);
    Path runs = folder.resolve("runs");
    CommandRun.of("account", "create", "owned", "--mu", "3", "--output", runs.toString())
        .succeeded();
    Path sweep = folder.resolve("sweeps/owned.yaml");
    Files.writeString(
        sweep,
        """
        version: 1
        name: owned
        data:
          private: {path: ../data/rows.csv, format: csv, header: true, label: last, classes: 2, rows: 140}
        budget: {epsilon: 1, delta: 1.0e-5, account: owned}
        search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
        train: {method: noisy-gd, loss: logistic}
        """);
    CommandRun.of("run", sweep.toString(), "--output", runs.toString()).succeeded();

    CommandRun refused = claims.reproduce("table", "--store", runs.resolve("mutune.db").toString());

    assertThat(refused.status()).isNotZero();
    assertThat(refused.err()).contains("is a file of a data set account");
    assertThat(folder.resolve("out/work/shuffled")).doesNotExist();
  }

  @Test
  void rowsThatNeedProtection_areNotTried() throws IOException {
    claims.write(
        UNSEEDED.replace("simulated", "private")
            + "  one: {with: {method: ours, loss: logistic, noise: \"1\"}}\n");

    assertThat(claims.reproduce("table").toldWhy(2)).contains("declared");
    assertThat(folder.resolve("out/work/shuffled")).doesNotExist();
  }
}
