package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A study on a real terminal, with the bar on it: what it shows there, and Ctrl-C. */
@Timeout(300)
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs the script of util-linux")
class TerminalTest {
  private static final int CTRL_C = 3;

  @TempDir Path folder;

  @BeforeAll
  static void interruptsReachChildren() throws Exception {
    assumeFalse(
        MutuneProcess.ignoresInterrupts(),
        "SIGINT is ignored here, and so by every child: run in the foreground of a shell");
  }

  /** As impatient people do: the second comes while the first is heeded. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void ctrlC_endsTheStudyWithTheWayToGoOn_andNoStepIsLost(int times) throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(2000).parallel(3);
    interrupted(times, 1000, sweep, "run");
    interrupted(times, 4000, sweep, "resume");
    CommandRun.of(sweep.command("resume")).succeeded();
    CommandRun.of(sweep.command("audit")).succeeded();
    try (StoreView store = StoreView.of(sweep.store())) {
      assertThat(store.stepsLost()).isZero();
      assertThat(store.stepsBegun()).isEqualTo(4 * 2000);
      assertThat(store.charges()).hasSize(7);
    }
  }

  private static void interrupted(int times, int steps, SmallSweep sweep, String command)
      throws Exception {
    try (MutuneProcess process = MutuneProcess.onTerminal(80, sweep.command(command));
        StoreView store = process.store(sweep)) {
      process.until(() -> store.stepsBegun() > steps && process.output().contains("trials"));
      for (int i = 0; i < times; i++) {
        process.type(CTRL_C);
      }
      CommandRun stopped = process.end();
      assertThat(stopped.out()).contains("mutune: ", "interrupted", "mutune resume ");
      assertThat(stopped.status()).isEqualTo(ExitCode.INTERRUPTED);
      assertThat(store.stepsLost()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 40})
  void everyLineOfProgress_fitsTheTerminal_andSaysHowLongItStillTakes(int columns)
      throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(5000);
    try (MutuneProcess process = MutuneProcess.onTerminal(columns, sweep.command("run"))) {
      CommandRun run = process.end().succeeded();
      List<String> lines = run.out().replaceAll("\u001b\\[[0-9;?]*[A-Za-z]", "").lines().toList();
      List<String> progress =
          lines.stream()
              .filter(line -> line.matches("(trials|final run) +\\d+%.*|reading rows.*"))
              .toList();
      assertThat(progress).anyMatch(line -> line.startsWith("reading rows"));
      assertThat(progress).allMatch(line -> line.length() < columns);
      assertThat(progress).anyMatch(line -> line.matches("trials.*\\d+:\\d\\d left, .*"));
      assertThat(progress).anyMatch(line -> line.matches("trials.* \\d+/15000 steps.*"));
      assertThat(progress).anyMatch(line -> line.matches("final run.* 5000/5000 steps.*"));
      if (columns == 80) {
        assertThat(progress).anyMatch(line -> line.matches("trials.*/s, epsilon [0-9.]+ of 2.*"));
      }
    }
  }

  @Test
  void withoutATerminal_aRunIsALine_withNoTimesInIt() throws Exception {
    CommandRun run = CommandRun.run(SmallSweep.in(folder)).succeeded();
    assertThat(run.err().lines())
        .hasSize(4)
        .allMatch(
            line ->
                line.matches(
                    "(trial [123]/3|final): \\d+ steps; epsilon [0-9.]+ of [0-9.]+, mu [0-9.]+ of"
                        + " [0-9.]+"));
  }
}
