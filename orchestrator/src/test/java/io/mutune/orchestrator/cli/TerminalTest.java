package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C on a real terminal, with the bar on it. */
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
    try (MutuneProcess process = MutuneProcess.onTerminal(sweep.command(command));
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
}
