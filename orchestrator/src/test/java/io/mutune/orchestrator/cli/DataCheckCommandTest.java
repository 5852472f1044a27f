package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code mutune data check}: what the holder of the files, and nobody else, is told of them. */
class DataCheckCommandTest {
  private static final String UNIT = "unit: {column: who, rows: 3, people: 100}\n";

  @TempDir Path folder;
  private OwnedTable table;

  @BeforeEach
  void register() throws IOException {
    table = OwnedTable.in(folder);
    Path card = table.card("own", "rows.csv", "budget: {mu: 1}", UNIT);
    table.mutune("data", "add", card.toString()).succeeded();
  }

  private JsonNode json() {
    return Json.read(table.mutune("data", "check", "own", "--format", "json").succeeded().out());
  }

  @Test
  void filesAsTheyWere_areSaidToBe() {
    assertThat(table.mutune("data", "check", "own").succeeded().out())
        .startsWith("PRIVATE: ")
        .contains("300 rows of 10 numbers\n")
        .contains("\nThe file has 100 people and 100 are stated, 0.0% apart: close enough.\nThere")
        .endsWith("The files are those of version 1.\n");
    assertThat(json().path("files"))
        .isEqualTo(Json.read("{\"version\": 1, \"state\": \"as registered\", \"changed\": []}"));
  }

  /** Tests run beside a folder of that name. */
  @Test
  void aSetThatHasTheNameOfAFolder_isTheSet() throws IOException {
    Path card = table.card("src", "rows.csv", "people: own", UNIT);
    table.mutune("data", "add", card.toString()).succeeded();
    assertThat(Path.of("src")).isDirectory();
    assertThat(table.mutune("data", "check", "src").succeeded().out())
        .endsWith("The files are those of version 1.\n");
  }

  @Test
  void filesThatChanged_areNamed_untilAnUpdateRegistersThem() throws IOException {
    table.rows("rows.csv", 2);
    assertThat(table.mutune("data", "check", "own").succeeded().out())
        .endsWith("Changed since version 1: rows.csv. 'mutune data update' registers them.\n");
    assertThat(json().path("files").path("state").asString()).isEqualTo("changed");
    table.mutune("data", "update", folder.resolve("own.yaml").toString()).succeeded();
    assertThat(table.mutune("data", "check", "own").succeeded().out())
        .endsWith("The files are those of version 2.\n");
  }

  /** None of the file's own texts is told, and each rule says where. */
  @Test
  void placesAreTold_ofWhatIsCut_andOfPeopleWithTooManyRows() throws IOException {
    Files.writeString(
        folder.resolve("rows.csv"), "p7,h7,130,low\np8,h8,5,high\n", StandardOpenOption.APPEND);

    String told = table.mutune("data", "check", "own").succeeded().out();

    String bound = "rows.csv:302: column 'age' is beyond a bound, and cut to it";
    String rows = "rows.csv:303: a person has more rows than unit.rows says, from this one on";
    assertThat(told)
        .contains("at " + folder.resolve(bound))
        .contains("at " + folder.resolve(rows))
        .contains("rows.csv:302: a person has more rows");
    assertThat(told.replace(folder.toString(), "")).doesNotContain("p7", "130");
    assertThat(json().at("/data/private/places")).hasSize(3);
  }

  @Test
  void aCard_isSaidToBeOne() {
    Path card = folder.resolve("own.yaml");
    assertThat(table.mutune("data", "check", card.toString()).failedWith(ExitCode.INVALID))
        .isEqualTo(
            "mutune: " + card + ": is a card, which 'mutune data add' checks as it registers it");
  }

  @Test
  void aSweepsFile_isCheckedTheSameWay_andARowThatDoesNotFitIsAProblem() throws IOException {
    Path sweep =
        table.write(
            "sweep.yaml",
            """
            version: 1
            name: inline
            data:
            %s  private: {path: rows.csv, format: csv, rows: 300}
            budget: {epsilon: 1, delta: 1.0e-4}
            search: {strategy: fixed, space: {logitNoise: 1, steps: 4}}
            train: {method: noisy-gd}
            """
                .formatted(OwnedTable.COLUMNS.indent(2)));
    assertThat(table.mutune("data", "check", sweep.toString()).succeeded().out())
        .contains("The file has 300 rows and 300 are stated")
        .doesNotContain("version");
    Files.writeString(folder.resolve("rows.csv"), "p1,h1,old,low\n", StandardOpenOption.APPEND);
    CommandRun wrong = table.mutune("data", "check", sweep.toString());
    assertThat(wrong.status()).isEqualTo(ExitCode.INVALID);
    assertThat(wrong.out())
        .contains("rows.csv:302: column 'age' is not a finite number")
        .doesNotContain("old");
    assertThat(table.mutune("data", "check", "nobody").toldWhy(ExitCode.INVALID))
        .contains("there is no data set 'nobody'");
  }
}
