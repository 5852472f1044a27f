package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.testing.Effort;
import io.mutune.testing.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Studies in processes of their own are killed with SIGKILL, audited, resumed, killed again. Where
 * the kills fall is random and printed; whatever falls where, no charge is lost.
 */
@Timeout(400)
class KilledStudyTest {
  private static final int KILLS = Effort.of(3, 20);
  private static final List<String> QUESTIONS =
      List.of("trial 1", "score 1", "trial 2", "score 2", "trial 3", "score 3", "final");

  @TempDir Path folder;

  @Test
  void oneLongStudyKilledAgainAndAgain_losesNoChargeAndEndsWhole() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(1500);
    SmallSweep.writeRows(sweep.privateRows(), 2000, 20, 3);
    SmallSweep.writeRows(sweep.testRows(), 200, 20, 4);
    sweep.publicRows(2000);
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    System.out.println("KilledStudyTest: seed " + seed);
    long all = 4 * 1500;
    for (int kill = 0; kill < KILLS; kill++) {
      // In the first half of its own part of the study, so that no kill comes after the end.
      long target = all * kill / KILLS + random.nextInt((int) (all / KILLS / 2));
      try (MutuneProcess process =
              MutuneProcess.start(sweep.command(kill == 0 ? "run" : "resume"));
          StoreView store = process.store(sweep)) {
        process.until(() -> store.stepsBegun() > target);
        Thread.sleep(0, random.nextInt(999_999));
        assertThat(process.kill()).as("was still running").isTrue();
      }
      System.out.println("KilledStudyTest: kill " + kill + " " + landed(sweep));
      audit(sweep);
    }
    CommandRun end = CommandRun.of(sweep.command("resume")).succeeded();
    requireWhole(sweep, end.folder());
    try (StoreView store = StoreView.of(sweep.store())) {
      // A block of steps is a 32nd of a run; a kill loses at most one.
      assertThat(store.stepsLost()).isPositive().isLessThanOrEqualTo(47L * KILLS);
      assertThat(store.number("SELECT sum(starts) FROM trial")).isGreaterThan(KILLS);
    }
  }

  /** Moments too short for chance are watched for in the store. */
  @Test
  @Thorough
  void freshStudiesKilledWhileChargingScoringAndWriting_loseNoCharge() throws Exception {
    List<String> moments =
        List.of(
            "SELECT count(*) FROM charge",
            "SELECT count(*) FROM charge WHERE what = 'score 1'",
            "SELECT count(*) FROM trial WHERE state IN ('SCORED', 'UNSCORED')",
            "SELECT count(*) FROM charge WHERE what = 'final'",
            "writing",
            "SELECT count(*) FROM trial WHERE number = 0 AND state = 'TRAINED'");
    for (String moment : Effort.oneIn(2, moments.stream()).toList()) {
      Path own = Files.createDirectory(folder.resolve("study" + moments.indexOf(moment)));
      SmallSweep sweep = SmallSweep.in(own).steps(60);
      try (MutuneProcess process = MutuneProcess.start(sweep.command("run"));
          StoreView store = process.store(sweep)) {
        process.until(() -> moment.equals("writing") ? partial(sweep) : store.number(moment) > 0);
        process.kill();
      }
      System.out.println("KilledStudyTest: at " + moment + ": " + landed(sweep));
      audit(sweep);
      try (StoreView store = StoreView.of(sweep.store())) {
        if (store.number("SELECT count(*) FROM study WHERE state = 'FINISHED'") == 0) {
          CommandRun.of(sweep.command("resume")).succeeded();
        }
      }
      requireWhole(sweep, output(sweep));
    }
  }

  private static boolean partial(SmallSweep sweep) {
    try (var files = Files.list(sweep.runs())) {
      return files.anyMatch(file -> String.valueOf(file.getFileName()).endsWith(".partial"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path output(SmallSweep sweep) throws IOException {
    try (var files = Files.list(sweep.runs())) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("small-"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Where the kill fell, by what the store has. */
  static String landed(SmallSweep sweep) throws SQLException {
    try (StoreView store = StoreView.of(sweep.store())) {
      List<String> charges = store.charges();
      String last = charges.isEmpty() ? "nothing" : charges.get(charges.size() - 1);
      return "after the charge of %s, %d steps begun, %d kept or given up, %d scores, folder %s"
          .formatted(
              last,
              store.stepsBegun(),
              store.number("SELECT sum(steps_asked) FROM trial"),
              store.number("SELECT count(*) FROM trial WHERE score IS NOT NULL"),
              partial(sweep) ? "half written" : "not there or whole");
    }
  }

  /** By the command, and by this test's own look at the store. */
  static void audit(SmallSweep sweep) throws SQLException {
    CommandRun audit = CommandRun.of(sweep.command("audit", "--format", "json")).succeeded();
    JsonNode study = Json.read(audit.out()).withArray("studies").get(0);
    assertThat(study.path("epsilon").asDouble()).isLessThanOrEqualTo(2);
    if (study.has("mu")) {
      assertThat(study.path("mu").asDouble())
          .isLessThanOrEqualTo(study.path("budget").path("mu").asDouble());
    }
    try (StoreView store = StoreView.of(sweep.store())) {
      List<String> charges = store.charges();
      assertThat(charges).isSubsetOf(QUESTIONS).doesNotHaveDuplicates();
      for (int number = 0; number <= 3; number++) {
        String what = number == 0 ? "final" : "trial " + number;
        long begun = store.number("SELECT steps_begun FROM trial WHERE number = " + number);
        long charged =
            store.number(
                "SELECT json_extract(parameters, '$.count') FROM charge WHERE what = '%s'"
                    .formatted(what));
        assertThat(begun).as(what).isLessThanOrEqualTo(charged);
        String scored = "SELECT count(*) FROM trial WHERE score IS NOT NULL AND number = " + number;
        if (store.number(scored) > 0) {
          assertThat(charges).contains("score " + number);
        }
      }
    }
  }

  static void requireWhole(SmallSweep sweep, Path output) throws Exception {
    assertThat(partial(sweep)).isFalse();
    List<String> names = new ArrayList<>();
    try (var files = Files.list(output)) {
      files.forEach(file -> names.add(String.valueOf(file.getFileName())));
    }
    assertThat(names)
        .containsExactlyInAnyOrder(
            ("sweep.yaml plan.json statement.json statement.txt result.json trials.csv model.npz"
                    + " model.json report.html figures")
                .split(" "));
    ObjectNode statement = Json.read(Files.readString(output.resolve("statement.json")));
    assertThat(statement.path("epsilon").asDouble()).isPositive().isLessThanOrEqualTo(2);
    List<String> stated = new ArrayList<>();
    statement.withArray("charges").forEach(charge -> stated.add(charge.path("what").asString()));
    assertThat(stated).isEqualTo(QUESTIONS);
    audit(sweep);
  }
}
