package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.EarlierLayouts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One account is of people or of single rows: what the two cost does not add up. */
class AccountUnitsTest {
  private static final String BUDGET = "budget: {mu: 1}";
  private static final String BY_WHO = "unit: {column: who, rows: 3, people: 100}\n";
  private static final String BY_HOME = "unit: {column: home, rows: 6, people: 50}\n";

  @TempDir Path folder;
  private OwnedTable table;

  @BeforeEach
  void table() throws IOException {
    table = OwnedTable.in(folder);
    table.rows("more.csv", 2);
  }

  private CommandRun add(String name, String file, String head, String more) throws IOException {
    return table.mutune("data", "add", table.card(name, file, head, more).toString());
  }

  private CommandRun update(String more) throws IOException {
    return table.mutune("data", "update", table.card("first", "rows.csv", BUDGET, more).toString());
  }

  @Test
  void aSetOfRows_doesNotJoinTheAccountOfPeople() throws IOException {
    add("first", "rows.csv", BUDGET, BY_WHO).succeeded();

    assertThat(add("more", "more.csv", "people: first", "").toldWhy(ExitCode.REFUSED))
        .contains("the data set more is of single rows, the data set first of people")
        .contains("a unit of rows: 1");

    add("more", "more.csv", "people: first", BY_HOME.replace("rows: 6", "rows: 1")).succeeded();
    assertThat(table.mutune("account", "show", "first").succeeded().out())
        .contains("for add-remove neighbours that differ in one person, since")
        .contains("How often any test misses a person that took part");
    assertThat(
            Json.read(table.mutune("account", "show", "first", "--format", "json").out())
                .path("unit")
                .asString())
        .isEqualTo("person");
    assertThat(table.mutune("data", "list").succeeded().out())
        .contains("100 people")
        .contains("50 people");
  }

  /** At which its owner gave it: at another one a budget of ε 4 is another number. */
  @Test
  void anEpsilonLeft_isAtTheDeltaOfTheCard() throws IOException {
    add("first", "rows.csv", "budget: {epsilon: 4, delta: 1.0e-4}", BY_WHO).succeeded();
    assertThat(table.mutune("data", "list").succeeded().out())
        .containsPattern("epsilon left \\(one study\\) +at delta\n-+\n.* 4 +1e-4\n");
    for (String[] words :
        new String[][] {{"account", "show"}, {"data", "history"}, {"account", "history"}}) {
      assertThat(table.mutune(words[0], words[1], "first").succeeded().out())
          .contains("at delta 1e-4")
          .doesNotContain("at delta 1e-6,");
    }
    assertThat(table.mutune("account", "show", "first", "--delta", "1e-7").succeeded().out())
        .contains("at delta 1e-7");
  }

  @Test
  void aSetOfPeople_doesNotJoinTheAccountOfRows() throws IOException {
    add("first", "rows.csv", BUDGET, "").succeeded();
    assertThat(add("more", "more.csv", "people: first", BY_WHO).toldWhy(ExitCode.REFUSED))
        .contains("the data set more is of people, the data set first of single rows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", BY_HOME})
  void anUpdate_keepsTheUnit(String other) throws IOException {
    add("first", "rows.csv", BUDGET, BY_WHO).succeeded();
    assertThat(update(other).toldWhy(ExitCode.REFUSED)).contains("an earlier card");
    update(BY_WHO.replace("rows: 3", "rows: 2")).succeeded();
  }

  @Test
  void anUpdate_addsNoUnit() throws IOException {
    add("first", "rows.csv", BUDGET, "").succeeded();
    assertThat(update(BY_WHO).toldWhy(ExitCode.REFUSED))
        .contains("the data set first is of people, an earlier card of single rows");
  }

  private CommandRun run(String unit, String file) throws IOException {
    return table.mutune(
        "run",
        table
            .write(
                "sweep.yaml",
                """
                version: 1
                name: inline
                data:
                %s%s  private: {path: %s, format: csv, rows: 300}
                budget: {epsilon: 1, delta: 1.0e-4, account: rows}
                search: {strategy: fixed, space: {logitNoise: 1, steps: 4}}
                train: {method: noisy-gd}
                """
                    .formatted(OwnedTable.COLUMNS.indent(2), unit.indent(2), file))
            .toString());
  }

  @Test
  void sweepsInPlace_areHeldToTheUnitOfTheFirst_alsoInAStoreOfAnEarlierVersion() throws Exception {
    table.mutune("account", "create", "rows", "--mu", "5").succeeded();
    assertThat(table.mutune("account", "show", "rows", "--format", "json").out())
        .doesNotContain("\"unit\"");
    run(BY_WHO, "rows.csv").succeeded();
    EarlierLayouts.leave(folder.resolve("runs/mutune.db"), 11);

    assertThat(run("", "rows.csv").toldWhy(ExitCode.REFUSED))
        .containsPattern("the sweep is of single rows, study [0-9a-f]{8} of people");
    assertThat(run(BY_HOME, "rows.csv").toldWhy(ExitCode.REFUSED))
        .containsPattern("the sweep tells people apart by home, study [0-9a-f]{8} by who");
    assertThat(add("more", "more.csv", "people: rows", "").toldWhy(ExitCode.REFUSED))
        .containsPattern("the data set more is of single rows, study [0-9a-f]{8} of people");
    run(BY_WHO, "rows.csv").succeeded();
    assertThat(table.mutune("audit").succeeded().out())
        .containsPattern("account rows: mu [0-9.]+ of 5 held by studies of people, of which");
    String sweep = folder.resolve("sweep.yaml").toString();
    assertThat(CommandRun.of("plan", sweep).succeeded().out())
        .contains("on 100 people (public count), add-remove neighbours")
        .containsPattern("account: 'rows' reserves mu 0\\.[0-9]+ for it\n");
  }

  @Test
  void aPlan_saysWhetherItsAccountHasRoom() throws IOException {
    table.mutune("account", "create", "rows", "--mu", "5").succeeded();
    table.mutune("account", "create", "few", "--mu", "0.01").succeeded();
    run(BY_WHO, "rows.csv").succeeded();
    String store = folder.resolve("runs").resolve("mutune.db").toString();
    Path sweep = folder.resolve("sweep.yaml");
    assertThat(CommandRun.of("plan", sweep.toString(), "--store", store).succeeded().out())
        .containsPattern("account: 'rows' reserves mu [0-9.]+ for it, of mu [0-9.]+ that is left");
    String text = Files.readString(sweep);
    assertThat(text).contains("account: rows");
    Files.writeString(sweep, text.replace("account: rows", "account: few"));
    assertThat(CommandRun.of("plan", sweep.toString(), "--store", store).succeeded().out())
        .containsPattern("for it, and has mu [0-9.]+ left: a study of it is refused");
    assertThat(CommandRun.of("validate", sweep.toString(), "--store", store).succeeded().out())
        .contains("its plan fits its budget, but not what its account has left");
  }

  @Test
  void aSweepInPlace_isHeldToTheUnitOfACard() throws IOException {
    table.mutune("account", "create", "rows", "--mu", "5").succeeded();
    add("more", "more.csv", "people: rows", "").succeeded();
    assertThat(run(BY_WHO, "rows.csv").toldWhy(ExitCode.REFUSED))
        .contains("the sweep is of people, the data set more of single rows");
    run("", "rows.csv").succeeded();
  }

  @Test
  void aSweepInPlace_tellsPeopleApartAsTheCardDoes() throws IOException {
    table.mutune("account", "create", "rows", "--mu", "5").succeeded();
    add("more", "more.csv", "people: rows", BY_WHO).succeeded();
    assertThat(run(BY_HOME, "rows.csv").toldWhy(ExitCode.REFUSED))
        .contains("the sweep tells people apart by home, the data set more by who");
    run(BY_WHO, "rows.csv").succeeded();
  }

  /** Whether its rows fit a sweep is told against a charge alone. */
  @Test
  void aFileOfAnAccount_isNotReadToCheckItsForm() throws IOException {
    add("first", "rows.csv", BUDGET, BY_WHO).succeeded();
    table.write("rows.csv", "who,home,age,class\n1\n");
    assertThat(run("", "rows.csv").toldWhy(ExitCode.REFUSED))
        .contains("is a file of a registered data set");
  }
}
