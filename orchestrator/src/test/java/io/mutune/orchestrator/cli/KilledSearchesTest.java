package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.testing.Thorough;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Strategies whose trials are kept or are secret, in processes that are killed with SIGKILL. Where
 * a kill falls is random and printed.
 */
@Timeout(600)
class KilledSearchesTest {
  private static final String SECRET =
      "SELECT count(*) FROM trial WHERE number = %d AND steps_begun > 0";

  @TempDir Path folder;

  private SmallSweep sweep(String search) throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).search(search).parallel(2);
    SmallSweep.writeRows(sweep.privateRows(), 3000, 20, 3);
    SmallSweep.writeRows(sweep.testRows(), 200, 20, 4);
    return sweep.publicRows(3000);
  }

  private static void audited(SmallSweep sweep) {
    String audit = CommandRun.of(sweep.command("audit", "--format", "json")).succeeded().out();
    assertThat(Json.read(audit).withArray("studies").get(0).path("epsilon").asDouble())
        .isBetween(0.0, 2.0);
  }

  private static List<String> charges(SmallSweep sweep) throws Exception {
    try (StoreView store = StoreView.of(sweep.store())) {
      return store.charges();
    }
  }

  /** Kills a process once the store says so, a random moment later, and audits what it leaves. */
  private static void killed(SmallSweep sweep, String command, String moment, long atLeast)
      throws Exception {
    long seed = new Random().nextLong();
    System.out.println("KilledSearchesTest: seed " + seed + ", at " + moment + " > " + atLeast);
    try (MutuneProcess process = MutuneProcess.start(sweep.command(command));
        StoreView store = process.store(sweep)) {
      process.until(() -> store.number(moment) > atLeast);
      Thread.sleep(new Random(seed).nextInt(30));
      assertThat(process.kill()).as("was still running").isTrue();
    }
    audited(sweep);
  }

  /** What was done is in memory alone, since it is secret: so it is lost, and its charge is not. */
  @Test
  void randomStopping_losesItsRunsAndKeepsItsCharge() throws Exception {
    SmallSweep sweep =
        sweep(
            "{strategy: random-stopping, space: {learningRate: {min: 0.1, max: 9}, steps: 4000},"
                + " runs: {mean: 20}, score: {on: private, epsilon: 0.2}}");

    killed(sweep, "run", SECRET.formatted(0), 0);

    assertThat(charges(sweep)).containsExactly("final");
    CommandRun resumed = CommandRun.of(sweep.command("resume"));
    assertThat(resumed.status()).isNotZero();
    assertThat(resumed.err()).contains("an earlier start did not end", "its charge is spent");
    assertThat(charges(sweep)).containsExactly("final");
    try (StoreView store = StoreView.of(sweep.store())) {
      assertThat(store.number("SELECT count(*) FROM trial WHERE state = 'TRAINED'")).isZero();
    }
    audited(sweep);
  }

  /**
   * Stopped within a step it would lose all, so whoever stops it gets its end, and nobody learns
   * from its metrics how many steps it looked at the signal after. Of its runs there is none with a
   * probability of 2e-11.
   */
  @Test
  void randomStopping_isWaitedFor_byASignal() throws Exception {
    SmallSweep sweep =
        sweep(
            "{strategy: random-stopping, space: {learningRate: {min: 0.1, max: 9}, steps: 2000},"
                + " runs: {mean: 5.9, law: binomial, most: 6}, score: {on: private, epsilon: 0.2}}");
    SmallSweep.writeRows(sweep.privateRows(), 1000, 20, 3);
    sweep.publicRows(1000);
    Path metrics = folder.resolve("mutune.prom");
    CommandRun ended;
    try (MutuneProcess process =
            MutuneProcess.start(sweep.command("run", "--metrics", metrics.toString()));
        StoreView store = process.store(sweep)) {
      process.until(() -> store.held(() -> store.number(SECRET.formatted(0)) > 0));
      assertThat(store.number("SELECT count(*) FROM trial WHERE state = 'TRAINED'")).isZero();
      process.signal("TERM");
      store.release();
      ended = process.end();
    }

    assertThat(ended.succeeded().out()).contains("Test accuracy");
    audited(sweep);
    assertThat(Files.readAllLines(metrics))
        .contains("mutune_store_seconds_count{operation=\"trial\"} 3");
  }

  @Test
  @Thorough
  void tuningOnSamples_isLostInItsTuning_andGoesOnInItsFinalRun() throws Exception {
    String search =
        "{strategy: subsampled-tuning, epsilon: 1, sampleRate: 0.2, space: {logitNoise: {min: 0.1,"
            + " max: 10}, steps: 4000}, runs: {mean: 20}, score: {on: private, epsilon: 0.3}}";
    SmallSweep lost = sweep(search);

    killed(lost, "run", SECRET.formatted(1), 0);

    assertThat(charges(lost)).containsExactly("tuning");
    assertThat(CommandRun.of(lost.command("resume")).err())
        .contains("an earlier start did not end", "its charge is spent");
    assertThat(charges(lost)).containsExactly("tuning");

    folder = Files.createDirectory(folder.resolve("other"));
    SmallSweep kept = sweep(search.replace("mean: 20", "mean: 2"));
    killed(kept, "run", SECRET.formatted(0), 0);

    assertThat(charges(kept)).containsExactly("tuning", "final");
    CommandRun.of(kept.command("resume")).succeeded();
    assertThat(charges(kept)).containsExactly("tuning", "final");
    audited(kept);
  }

  @Test
  @Thorough
  void aGrid_goesOnFromItsCheckpoints_andKeepsOneOfItsRuns() throws Exception {
    SmallSweep sweep =
        sweep(
            "{strategy: grid, space: {learningRate: {min: 0.1, max: 9}, steps: 2000}, points:"
                + " {values: 4}, score: {on: private, epsilon: 0.2}}");
    List<String> all = new ArrayList<>();
    for (int run = 1; run <= 4; run++) {
      all.add("trial " + run);
      all.add("score " + run);
    }

    killed(sweep, "run", "SELECT sum(steps_begun) FROM trial", 1000);
    killed(sweep, "resume", "SELECT sum(steps_begun) FROM trial", 5000);
    CommandRun end = CommandRun.of(sweep.command("resume")).succeeded();

    assertThat(charges(sweep)).containsExactlyInAnyOrderElementsOf(all);
    audited(sweep);
    assertThat(
            Json.read(Files.readString(end.folder().resolve("result.json")))
                .path("testAccuracy")
                .asDouble())
        .isGreaterThan(0.5);
    try (StoreView store = StoreView.of(sweep.store())) {
      // A block is a 32nd of a run, and two ran at each kill.
      assertThat(store.stepsLost()).isLessThanOrEqualTo(2 * 2 * 63);
    }
  }

  /** A model that is there is not trained again, and none is charged twice. */
  @Test
  @Thorough
  void severalModels_goOnFromWhicheverWasKilled() throws Exception {
    SmallSweep sweep =
        sweep(
                "{strategy: scale-free, space: {logitNoise: {min: 0.1, max: 10}, steps: 2000}, sweeps:"
                    + " [{epsilon: 0.3, trials: 2}], score: {on: private, epsilon: 0.2}}")
            .releases("[0.4, 0.8]");

    killed(sweep, "run", SECRET.formatted(0), 0);
    killed(sweep, "resume", SECRET.formatted(3), 0);
    killed(sweep, "resume", "SELECT steps_begun FROM trial WHERE number = 4", 500);
    CommandRun end = CommandRun.of(sweep.command("resume")).succeeded();

    assertThat(charges(sweep))
        .containsExactlyInAnyOrder(
            "trial 1", "trial 2", "score 1", "score 2", "final", "release 1", "release 2");
    audited(sweep);
    for (String model : new String[] {"", "release-1", "release-2"}) {
      String rows = sweep.testRows().toString();
      CommandRun.of("predict", end.folder().resolve(model).toString(), rows).succeeded();
    }
    try (StoreView store = StoreView.of(sweep.store())) {
      assertThat(
              store.number("SELECT count(*) FROM trial WHERE number IN (0, 3, 4) AND starts > 1"))
          .isEqualTo(3);
    }
  }

  /** Which trials go on is decided anew from what was released, and comes to the same. */
  @Test
  @Thorough
  void successiveHalving_goesOnWithTheSameTrials_whereverItIsKilled() throws Exception {
    SmallSweep sweep =
        sweep(
            "{strategy: successive-halving, points: {values: 4}, space: {learningRate: {min: 0.01,"
                + " max: 9}, steps: 800}, score: {on: private, epsilon: 0.2}}");
    List<String> all = new ArrayList<>(List.of("final"));
    for (int run = 1; run <= 6; run++) {
      all.add("trial " + run);
      all.add("score " + run);
    }

    killed(sweep, "run", "SELECT sum(steps_begun) FROM trial", 1200);
    killed(sweep, "resume", "SELECT steps_begun FROM trial WHERE number = 6", 0);
    killed(sweep, "resume", SECRET.formatted(0), 0);
    CommandRun end = CommandRun.of(sweep.command("resume")).succeeded();

    assertThat(charges(sweep)).containsExactlyInAnyOrderElementsOf(all);
    audited(sweep);
    JsonNode trials =
        Json.read(Files.readString(end.folder().resolve("result.json"))).path("trials");
    List<Integer> best =
        Stream.of(0, 1, 2, 3)
            .sorted(Comparator.comparing(i -> -trials.get(i).path("score").asDouble()))
            .map(i -> i + 1)
            .toList();
    assertThat(List.of(trials.get(4).path("from").asInt(), trials.get(5).path("from").asInt()))
        .isEqualTo(best.subList(0, 2));
  }
}
