package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.sweep.DataCard;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer does with a table, as docs/your-table.md has it. */
class OwnTableTest {
  @TempDir Path folder;

  /** The table of that page, drawn by another generator. */
  private void tables() throws IOException {
    Random random = new Random(1);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 6000; i++) {
      int age = 18 + random.nextInt(63);
      int hours = 5 + random.nextInt(66);
      String work = List.of("farm", "factory", "office").get(random.nextInt(3));
      String home = List.of("rented", "owned").get(random.nextInt(2));
      double z =
          (age - 45) / 15.0
              + (hours - 38) / 12.0
              + (work.equals("office") ? 2 : 0)
              + (home.equals("owned") ? 1 : 0)
              - 1;
      String income = random.nextDouble() < 1 / (1 + Math.exp(-z)) ? "high" : "low";
      String known = random.nextDouble() < 0.97 ? Integer.toString(hours) : "";
      lines.add("%d,%s,%s,%s,%s".formatted(age, known, work, home, income));
    }
    String header = "age,hours,work,home,income\n";
    Files.writeString(
        folder.resolve("people.csv"), header + String.join("\n", lines.subList(0, 5000)) + "\n");
    Files.writeString(
        folder.resolve("people-test.csv"),
        header + String.join("\n", lines.subList(5000, 6000)) + "\n");
  }

  /** In the table's folder, where the sweep of a study is written too. */
  private CommandRun mutune(String... words) throws Exception {
    try (MutuneProcess process =
        MutuneProcess.startIn(List.of("env", "-C", folder.toString()), words)) {
      return process.end();
    }
  }

  @Test
  void fromACsvToAStatement() throws Exception {
    tables();
    String drafted = mutune("data", "draft", "people.csv", "--label", "income").succeeded().out();
    assertThat(drafted)
        .contains("hours: {type: number, min: 5, max: 70, fill: \"?\"}")
        .contains("  columns.hours.fill: unconfirmed\n")
        .contains("  columns.work.values: unconfirmed\n");
    Path card = Files.writeString(folder.resolve("card.yaml"), drafted);
    CommandRun unfinished = mutune("data", "add", "card.yaml");
    assertThat(unfinished.toldWhy(ExitCode.INVALID))
        .containsPattern("card.yaml:\\d+: budget.epsilon must be a number")
        .containsPattern("card.yaml:\\d+: private.rows must be a number")
        .containsPattern("card.yaml:\\d+: columns.age.min was read from the private file");

    String finished =
        drafted
            .replace("epsilon: \"?\"", "epsilon: 1.2")
            .replace("delta: \"?\"", "delta: 1.0e-5")
            .replace("fill: \"?\"", "fill: 40")
            .replace("rows: \"?\"", "rows: 5000")
            .replace("# test: {path: \"?\"}", "test: {path: people-test.csv}")
            .replace(": unconfirmed", ": confirmed");
    Files.writeString(card, finished);
    assertThat(mutune("data", "add", "card.yaml").succeeded().out())
        .contains("data.private: " + folder.resolve("people.csv"))
        .contains("5000 rows of ")
        .contains("budget:     mu 0.31");

    CommandRun planned = mutune("plan", "--data", "people", "--epsilon", "1").succeeded();
    assertThat(planned.out()).contains("final");
    assertThat(folder.resolve("people.yaml")).doesNotExist();
    CommandRun run = mutune("run", "--data", "people", "--epsilon", "1").succeeded();
    String[] both = {"plan", "people.yaml", "--data", "people", "--epsilon", "1"};
    assertThat(mutune(both).toldWhy(ExitCode.INVALID)).contains("and not both");
    assertThat(planned.out()).containsPattern("'people' reserves mu .* for it, of mu .* is left");
    String again = mutune("plan", "people.yaml").succeeded().out();
    assertThat(again).contains("left: a study of it is refused");
    assertThat(again.replaceFirst("account: .*", ""))
        .isEqualTo(planned.out().replaceFirst("account: .*", ""));
    assertThat(run.err()).contains("wrote people.yaml, the sweep that runs");
    assertThat(Files.readString(folder.resolve("people.yaml")))
        .contains("data: people\nbudget: {epsilon: 1.0, delta: 1.0E-5}\n")
        .contains("steps: auto");
    assertThat(run.out())
        .contains("is (1, 1e-5)-differentially private together")
        .contains("one row of data.private of the data set people")
        .contains("its owner calls public knowledge: columns.age.min, ")
        // 77% to 80% have been seen with this table; always saying one class gives 57%.
        .containsPattern("Test accuracy: (7[0-9]|8[0-4])\\.");

    // Where no results can be left, no budget is held for them.
    String history = mutune("data", "history", "people").succeeded().out();
    CommandRun nowhere =
        mutune("run", "people.yaml", "--store", "runs/mutune.db", "--output", "people.csv");
    assertThat(nowhere.toldWhy(ExitCode.STORAGE))
        .contains("people.csv: no results can be left there");
    assertThat(mutune("data", "history", "people").succeeded().out()).isEqualTo(history);

    // The same file is no other sweep; what is left of the budget is less than it asks for.
    assertThat(mutune("run", "--data", "people", "--epsilon", "1").toldWhy(ExitCode.REFUSED))
        .contains("over the account 'people'")
        .doesNotContain("wrote");
    assertThat(mutune("run", "--data", "people", "--epsilon", "0.9").toldWhy(ExitCode.REFUSED))
        .contains("wrote people.yaml, the sweep that runs");
    assertThat(mutune("run", "--data", "people").toldWhy(ExitCode.INVALID))
        .contains("--data needs --epsilon");
    String plain = Files.readString(folder.resolve("people.yaml"));
    for (String own :
        List.of(plain + "# mine\n", plain.replace("delta", "releases: [0.5], delta"))) {
      Files.writeString(folder.resolve("people.yaml"), own);
      assertThat(mutune("run", "--data", "people", "--epsilon", "0.9").toldWhy(ExitCode.INVALID))
          .contains("people.yaml: has another text than the sweep that would be written there");
      assertThat(folder.resolve("people.yaml")).hasContent(own);
    }
    assertThat(mutune("data", "history", "people").succeeded().out())
        .containsSubsequence("registered", "reserved", "settled");
    mutune("audit").succeeded();
  }

  /** Names and values that YAML would read as something else come back as they are. */
  @Test
  void whateverAFileCallsThings_theDraftIsACardOfThem() throws IOException {
    List<String> names = List.of("yes", "a: b", "#x", "?", "- y", "{z}", "it's", "on", "~a");
    List<String> words = List.of("no", "null", "~", "1.5e3", "a, b", "x: y", "[1]", "& c", "0x1f");
    StringBuilder rows = new StringBuilder(String.join("\t", names) + "\tclass\n");
    for (int row = 0; row < 60; row++) {
      for (int column = 0; column < names.size(); column++) {
        rows.append(words.get((row + column) % words.size())).append('\t');
      }
      rows.append(row % 2 == 0 ? "true story" : "off").append('\n');
    }
    Path file = Files.writeString(folder.resolve("words.tsv"), rows.toString());

    String drafted =
        CommandRun.of("data", "draft", file.toString(), "--label", "class").succeeded().out();

    String finished =
        drafted
            .replace("header: \"?\"", "header: true")
            .replace("epsilon: \"?\"", "epsilon: 1")
            .replace("delta: \"?\"", "delta: 1.0e-5")
            .replace("rows: \"?\"", "rows: 60")
            .replace(": unconfirmed", ": confirmed");
    DataCard card =
        DataCardReader.readNew("card.yaml", finished, new SweepContext(folder, folder, Map.of()));
    Table table = Objects.requireNonNull(card.data().training().spec().table());
    assertThat(table.columns().subList(0, names.size()))
        .extracting(Column::name)
        .containsExactlyElementsOf(names);
    List<String> listed = words.stream().filter(word -> !word.equals("null")).toList();
    assertThat(table.columns().subList(0, names.size()))
        .allSatisfy(
            column ->
                assertThat(((CategoryType) column.type()).values())
                    .containsExactlyInAnyOrderElementsOf(listed));
    assertThat(table.missing()).containsExactly("null");
    assertThat(((ClassLabels) card.data().training().spec().labelling()).names())
        .containsExactly("off", "true story");
    assertThat(card.data().confirmed()).contains("missing", "columns.a: b.values");
  }

  @Test
  void aPath_isWrittenAsItWasTyped_soThatACardInTheWorkingFolderFindsTheFile() throws Exception {
    Files.createDirectory(folder.resolve("in"));
    Files.writeString(folder.resolve("in/a.csv"), "age,kind\n31,a\n42,b\n");
    assertThat(mutune("data", "draft", "in/a.csv").succeeded().out())
        .contains("# Its paths are relative to the folder that it is in.\n")
        .contains("  path: in/a.csv\n");
  }

  /** Whether somebody has several rows does not show: the name alone decides. */
  @Test
  void aColumnThatIsNamedLikeAnId_isProposedAsTheUnit() throws IOException {
    for (String name : List.of("id", "patient_id", "userId", "Customer")) {
      Path file = Files.writeString(folder.resolve("a.csv"), name + ",kind\n7,a\n8,b\n");
      String drafted = CommandRun.of("data", "draft", file.toString()).succeeded().out();
      assertThat(drafted).contains("\n# unit: {column: %s, rows: \"?\", ".formatted(name));
      Files.writeString(file, name + ",kind\n7,a\n7,b\n8,b\n");
      assertThat(CommandRun.of("data", "draft", file.toString()).succeeded().out())
          .isEqualTo(drafted);
    }
    for (String name : List.of("paid", "grid", "users_seen")) {
      Path file = Files.writeString(folder.resolve("a.csv"), name + ",kind\n7,a\n8,b\n");
      assertThat(CommandRun.of("data", "draft", file.toString()).succeeded().out())
          .doesNotContain("# unit");
    }
  }

  @Test
  void namesOfTheFileThatAreNotTaken_areTold() throws IOException {
    Path file = Files.writeString(folder.resolve("a.csv"), ",age,kind\n0,31,a\n1,42,b\n");
    assertThat(CommandRun.of("data", "draft", file.toString()).succeeded().out())
        .contains("  header: false   # some of its names are empty or there twice")
        .contains("  skipLines: 1\n")
        .contains("  age: {type: number");
  }

  /** A first row that is taken for names would be in the card, and from there in statements. */
  @Test
  void whetherAFirstLineOfTextsHasNames_isAsked() throws Exception {
    Path file = folder.resolve("a.csv");
    Files.writeString(file, "Smith Anna,flu,berlin\nDoe Ben,cold,paris\nRoe Cy,none,rome\n");
    String drafted = CommandRun.of("data", "draft", file.toString()).succeeded().out();
    assertThat(drafted).contains("  header: \"?\"   # true; or false if the columns above");
    Path card = Files.writeString(folder.resolve("card.yaml"), drafted);
    assertThat(mutune("data", "add", card.toString()).toldWhy(ExitCode.INVALID))
        .containsPattern("card.yaml:\\d+: private.header must be true or false");
  }

  @Test
  void boundsOfDatesWhoseFormatIsAGuess_areAsked() throws IOException {
    Path file = folder.resolve("a.csv");
    Files.writeString(file, "day,kind\n01/02/2020,a\n03/04/2021,b\n05/06/2022,a\n");
    assertThat(CommandRun.of("data", "draft", file.toString()).succeeded().out())
        .contains("day: {type: date, format: \"?\", min: \"?\", max: \"?\"}")
        .doesNotContain("columns.day.min");
  }

  @Test
  void longTexts_areWrittenInQuotes() throws Exception {
    String words = "word ".repeat(4000);
    List<String> lines = new ArrayList<>(List.of("t,y"));
    for (int i = 0; i < 40; i++) {
      lines.add(words + i % 4 + "," + (i % 2 == 0 ? "no" : "yes"));
    }
    Path file = Files.write(folder.resolve("long.csv"), lines);
    assertThat(CommandRun.of("data", "draft", file.toString()).succeeded().out())
        .contains("values: [\"word word ", " 0\", \"word ");
  }

  @Test
  void textsThatAreOneNumber_areAskedFor() throws Exception {
    Path file = Files.writeString(folder.resolve("codes.csv"), "c,y\n07,no\n7,yes\nA1,no\n");
    assertThat(CommandRun.of("data", "draft", file.toString()).succeeded().out())
        .containsPattern(
            "c: [{]type: category, values: .*[}]   # 07 and 7 are one number: keep one");
  }

  @Test
  void aColumnOfOneValue_isAskedFor() throws Exception {
    Path file = Files.writeString(folder.resolve("flat.csv"), "a,b,y\n1.5,1,no\n1.5,2,yes\n");
    assertThat(CommandRun.of("data", "draft", file.toString()).succeeded().out())
        .contains(
            "  a: {type: number, min: 1.5, max: \"?\"}   # one value alone: state the bounds",
            "  b: {type: number, min: 1, max: 2}\n")
        .contains("columns.a.min: ")
        .doesNotContain("columns.a.max: ");
  }
}
