package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.testing.Thorough;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Studies by the methods other than noisy gradient descent are killed, audited, resumed and used as
 * those are. Where the kills fall is random and printed.
 */
@Timeout(400)
class KilledMethodsTest {
  private static final int KILLS = 4;
  private static final int STEPS = 400;

  @TempDir Path folder;

  private SmallSweep sweep(String method) throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(STEPS);
    return switch (method) {
      case "adamix" -> sweep.adaMix();
      case "dp-sgd" -> sweep.train("{method: dp-sgd, batchSize: 40}");
      default -> throw new IllegalArgumentException(method);
    };
  }

  @Thorough
  @ParameterizedTest
  @ValueSource(strings = {"adamix", "dp-sgd"})
  void aStudyKilledAgainAndAgain_losesNoChargeAndEndsWhole(String method) throws Exception {
    SmallSweep sweep = sweep(method);
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    System.out.println("KilledMethodsTest: " + method + ", seed " + seed);
    int part = 4 * STEPS / KILLS;
    for (int kill = 0; kill < KILLS; kill++) {
      long target = (long) part * kill + random.nextInt(part / 2);
      try (MutuneProcess process =
              MutuneProcess.start(sweep.command(kill == 0 ? "run" : "resume"));
          StoreView store = process.store(sweep)) {
        process.until(() -> store.stepsBegun() > target);
        assertThat(process.kill()).as("was still running").isTrue();
      }
      System.out.println("KilledMethodsTest: " + KilledStudyTest.landed(sweep));
      KilledStudyTest.audit(sweep);
    }
    Path output = CommandRun.of(sweep.command("resume")).succeeded().folder();
    KilledStudyTest.requireWhole(sweep, output);
    requireUsable(sweep, output, method);
  }

  /** By every command that reads a finished study. */
  private void requireUsable(SmallSweep sweep, Path output, String method) throws Exception {
    assertThat(CommandRun.of(sweep.command("list")).succeeded().out()).contains("finished");
    assertThat(CommandRun.of(sweep.command("status")).succeeded().out())
        .contains(
            "finished", method.equals("dp-sgd") ? "7 of 7 planned charges" : "spent: epsilon");
    var status =
        Json.read(CommandRun.of(sweep.command("status", "--format", "json")).succeeded().out());
    assertThat(status.path("spent").path("epsilon").asDouble()).isBetween(1.9, 2.0);
    assertThat(CommandRun.of(sweep.command("audit")).succeeded().out())
        .contains("Everything agrees");
    String predicted =
        CommandRun.of("predict", output.toString(), sweep.testRows().toString()).succeeded().out();
    assertThat(predicted.lines()).hasSizeGreaterThanOrEqualTo(100);
  }
}
