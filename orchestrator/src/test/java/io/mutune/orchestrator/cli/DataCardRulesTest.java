package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a card that is to be registered is held to. */
class DataCardRulesTest {
  private static final String BUDGET = "budget: {mu: 1}\n";

  @TempDir Path folder;

  @BeforeEach
  void rows() throws IOException {
    SmallSweep.in(folder);
    Files.copy(folder.resolve("test.csv"), folder.resolve("held.csv"));
  }

  private static String card(String more) {
    return """
        version: 1
        name: people
        private: {path: private.csv, format: csv, features: 5, classes: 3, rows: 400}
        """
        + more;
  }

  private CommandRun data(String word, String card) throws IOException {
    Path file = Files.writeString(folder.resolve("card.yaml"), card);
    return CommandRun.of("data", word, file.toString(), "--output", folder + "/runs");
  }

  private String refused(String card) throws IOException {
    return data("add", card).toldWhy(ExitCode.INVALID);
  }

  @Test
  void aFigureFromThePrivateFile_isConfirmedFirst_andTheStatementNamesIt() throws IOException {
    String figures =
        """
        fromPrivateFile:
          private.rows: %s
          private.rovs: confirmed
          test.path: maybe
        """;
    assertThat(
            refused(card(BUDGET + "test: {path: test.csv}\n" + figures.formatted("unconfirmed"))))
        .contains("card.yaml:7: private.rows was read from the private file: confirm that")
        .contains(
            "card.yaml:8: fromPrivateFile.private.rovs names nothing that the card has; did you"
                + " mean private.rows?")
        .contains("card.yaml:9: fromPrivateFile.test.path must be one of confirmed, unconfirmed");

    data("add", card(BUDGET + "fromPrivateFile: {private.rows: confirmed}\n")).succeeded();
    Path sweep =
        Files.writeString(
            folder.resolve("sweep.yaml"),
            """
            version: 1
            name: short
            data: people
            budget: {epsilon: 1, delta: 1.0e-4}
            search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
            train: {method: noisy-gd}
            """);
    assertThat(CommandRun.of("run", sweep.toString(), "--output", folder + "/runs").out())
        .contains("its owner calls public knowledge: private.rows");
  }

  @Test
  void aFileThatIsNamedTwice_isRefused_inWhateverTwoPartsItIs() throws IOException {
    assertThat(refused(card(BUDGET + "test: {path: private.csv}\n")))
        .contains("must name no row that data.private protects");
    assertThat(
            refused(card(BUDGET).replace("path: private.csv", "path: [private.csv, private.csv]")))
        .contains("is named twice");
    String again = "card.yaml:6: test.path must name no row of data.validation: a card gives";
    assertThat(refused(card(BUDGET + "validation: {path: test.csv}\ntest: {path: test.csv}\n")))
        .contains(again);
    String held = "{path: test.csv, private: true, rows: 100}\n";
    assertThat(refused(card(BUDGET + "validation: " + held + "test: " + held))).contains(again);
    assertThat(refused(card(BUDGET + "test: {path: private.csv, private: true, rows: 400}\n")))
        .contains("card.yaml:5: test.path must name no row of data.private");
    data(
            "add",
            card(
                BUDGET
                    + "validation: {path: test.csv, range: {first: 1, last: 50}}\n"
                    + "test: {path: test.csv, range: {first: 51, last: 100}}\n"))
        .succeeded();
  }

  @Test
  void anOwnerThatNoTokenCanBeFor_isRefused_andSoAreClassesInAnotherOrder() throws IOException {
    assertThat(refused(card(BUDGET + "owner: A B\n")))
        .contains("card.yaml:5: owner must be at most 64 lower-case letters, digits and dashes");
    assertThat(refused(card(BUDGET + "test: {path: test.csv, classes: [2, 1, 0]}\n")))
        .contains("card.yaml:5: test.classes must have 2 in the place that data.private gives it");
  }

  @Test
  void privateRowsBesideOpenOnes_haveNoAccount_andAreRefused() throws IOException {
    assertThat(
            refused(
                card("test: {path: test.csv, private: true, rows: 100}\n")
                    .replace("rows: 400", "rows: 400, declared: public")))
        .contains(
            "card.yaml:4: test.private needs an account to charge, and rows that are declared"
                + " public have none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "person | must be the name of one of the columns; was person; did you mean persona?",
        "age | must name a column of type id; was age"
      })
  void theColumnOfTheUnit_isToldWhereItStands_besideOtherMistakes(String column, String why)
      throws IOException {
    String card =
        """
        version: 1
        name: people
        budget: {mu: 1}
        columns:
          persona: {type: id}
          age: {type: number, min: 0, max: none}
          class: {type: label, values: [low, high]}
        unit:
          column: %s
          rows: 3
          people: 100
        private: {path: private.csv, format: csv, rows: 400}
        """
            .formatted(column);

    assertThat(refused(card))
        .contains("card.yaml:9: unit.column " + why)
        .contains(":6: columns.age");
    assertThat(refused(card.replace("none", "99"))).contains("unit.column " + why).hasLineCount(1);
  }

  @Test
  void aListOfAHundredThousandValues_isRefused() throws IOException {
    StringBuilder values = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      values.append("v").append(i).append(", ");
    }
    String big =
        """
        version: 1
        name: people
        budget: {mu: 1}
        columns:
          a: {type: category, values: [%s]}
          b: {type: label, values: [x, y]}
        private: {path: private.csv, format: csv, rows: 400}
        """
            .formatted(values);

    assertThat(refused(big)).contains("columns.a.values must have 1 to 10000 entries");
  }

  @ParameterizedTest
  @CsvSource({
    "budget: {mu: 1}, budget: {mu: 2}, budget: 'mutune data raise people' gives more",
    "budget: {mu: 1}, people: others, people: the data set 'people' keeps its account 'people'",
    "name: people, 'adjacency: replace-one\nname: people',"
        + " adjacency: the data set 'people' is for add-remove neighbours for ever"
  })
  void anUpdate_changesNothingThatCountsOnce(String before, String after, String why)
      throws IOException {
    data("add", card(BUDGET)).succeeded();
    data("update", card(BUDGET)).succeeded();

    assertThat(data("update", card(BUDGET).replace(before, after)).toldWhy(ExitCode.REFUSED))
        .contains(why);
  }

  @Test
  void aCardMaySayWhatWasRaised() throws IOException {
    data("add", card(BUDGET)).succeeded();
    CommandRun.of("data", "raise", "people", "--mu", "2", "--output", folder + "/runs").succeeded();
    data("update", card("budget: {mu: 2}\n")).succeeded();
  }
}
