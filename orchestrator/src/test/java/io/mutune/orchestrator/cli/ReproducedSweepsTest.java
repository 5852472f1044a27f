package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Claims about sweeps that are files of their own. */
@Timeout(120)
class ReproducedSweepsTest {
  private static final String OWN =
      """
      title: Of its own
      seeds: The repeat's number.
      figure: accuracy
      repeats: 2
      quick: 2
      claims:
      """;

  @TempDir Path folder;
  private ClaimFolder claims;

  @BeforeEach
  void writeSweep() throws IOException {
    claims = ClaimFolder.in(folder);
    Files.writeString(
        folder.resolve("sweeps/own.yaml"),
        """
        version: 1
        name: own
        data:
          private:
            declared: simulated
            path: ${MUTUNE_DATA}/rows.csv
            format: csv
            header: true
            label: last
            features: 2
            classes: 2
            rows: 100
            range: {first: 1, last: 100}
          test: {path: "${MUTUNE_DATA}/rows.csv", range: {first: 101, last: 140}}
        budget: {epsilon: 2, delta: 1.0e-5, releases: [0.5]}
        search: {strategy: fixed, space: {logitNoise: 1, steps: 5}}
        train: {method: noisy-gd, loss: logistic}
        """);
  }

  @Test
  void aClaimOfASweepFile_isRunAsItSaysButForItsChanges_andMayMeanOneOfItsModels()
      throws IOException {
    claims.write(
        OWN
            + """
              final: {sweep: own.yaml}
              dearer: {sweep: own.yaml, change: {"epsilon: 2,": "epsilon: 3,"}}
              cheap: {sweep: own.yaml, release: 0.5}
            """);

    claims.reproduce("table").succeeded();

    ObjectNode document = claims.document();
    assertThat(ClaimFolder.claim(document, "final").path("ours").path("epsilon").asDouble())
        .isEqualTo(2, within(1e-6));
    assertThat(ClaimFolder.claim(document, "dearer").path("ours").path("epsilon").asDouble())
        .isEqualTo(3, within(1e-6));
    assertThat(ClaimFolder.claim(document, "cheap").path("ours").path("finalEpsilon").asDouble())
        .isEqualTo(0.5);
    // One study has both models, and is run once for both claims.
    assertThat(Files.readAllLines(folder.resolve("out/work/table.journal"))).hasSize(4);
    assertThat(Files.readString(folder.resolve("out.md")))
        .contains("## Figures of its own", "| cheap | ")
        .doesNotContain("Claims of papers");
  }

  /** What the trials leave of it is less than the budget. */
  @Test
  void aClaimOfAComparison_saysWhatItsFinalRunCostsAlone() throws IOException {
    Path sweep = folder.resolve("sweeps/own.yaml");
    String search =
        "search: {strategy: scale-free, space: {logitNoise: {min: 0.5, max: 2}, steps: 5},"
            + " sweeps: [{epsilon: 0.5, trials: 3}], score: {on: private, epsilon: 0.2}}";
    Files.writeString(
        sweep,
        Files.readString(sweep).replace(", releases: [0.5]", "").replaceAll("search: .*", search));
    String compared = ": {compare: {sweep: own.yaml, range: sensible, strategy: ";
    claims.write(OWN + "  tuned" + compared + "scale-free}}\n  fixed" + compared + "fixed}}\n");

    claims.reproduce("table").succeeded();

    JsonNode tuned = ClaimFolder.claim(claims.document(), "tuned").path("ours");
    assertThat(tuned.path("epsilon").asDouble()).isEqualTo(2, within(1e-6));
    assertThat(tuned.path("finalEpsilon").asDouble()).isBetween(1.0, 1.95);
    JsonNode fixed = ClaimFolder.claim(claims.document(), "fixed").path("ours");
    assertThat(fixed.path("finalEpsilon").asDouble()).isEqualTo(2, within(1e-6));
  }

  /** A list beside the folder of results would take the place of whoever's page is there. */
  @Test
  void anotherPageOrDocument_isLeftAlone_andNothingIsTried() throws IOException {
    claims.write(OWN + "  one: {sweep: own.yaml}\n");
    Path page = Files.writeString(folder.resolve("out.md"), "# Mine\n");
    assertThat(claims.reproduce("table").failedWith(ExitCode.INVALID))
        .contains("out.md: is where the list");
    assertThat(page).hasContent("# Mine");
    Files.delete(page);
    Files.createDirectories(folder.resolve("out"));
    Files.writeString(folder.resolve("out/mine.json"), "{\"a\": 1}");
    assertThat(claims.reproduce("table").failedWith(ExitCode.INVALID))
        .contains("mine.json: is no document of results");
    assertThat(folder.resolve("out/work")).doesNotExist();
  }

  @Test
  void aChangeOfWhatASweepLacks_isNamed() throws IOException {
    claims.write(OWN + "  one: {sweep: own.yaml, change: {nowhere: b}}\n");
    assertThat(claims.reproduce("table").toldWhy(2))
        .contains("table.yaml", "its sweep has nowhere nowhere");
  }

  @Test
  void membership_isTheAreaOfAnAttackOnTheRowsOfTheStudy() throws IOException {
    claims.write(
        OWN.replace("figure: accuracy", "figure: membership") + "  attacked: {sweep: own.yaml}\n");

    claims.reproduce("table").succeeded();

    JsonNode ours = ClaimFolder.claim(claims.document(), "attacked").path("ours");
    assertThat(ours.path("value").asDouble()).isBetween(0.2, 0.8);
  }
}
