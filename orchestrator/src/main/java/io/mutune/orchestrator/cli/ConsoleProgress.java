package io.mutune.orchestrator.cli;

import io.mutune.accountant.ledger.Balance;
import io.mutune.orchestrator.report.Show;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyListener;
import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows how a study goes on, on standard error: a bar where that is a terminal (the launcher
 * looks), a line a run elsewhere. Steps, runs and budget only.
 */
final class ConsoleProgress implements StudyListener, AutoCloseable {
  private static final String BAR_PROPERTY = "mutune.terminal";

  private final PrintWriter errors;
  private final int runs;
  private final boolean terminal = Boolean.getBoolean(BAR_PROPERTY);
  private @Nullable ProgressBar bar;
  private String run = "";
  private String spent = "";

  ConsoleProgress(Study study, PrintWriter errors) {
    this.errors = errors;
    this.runs = study.plan().trials().size() + 1;
  }

  @Override
  public synchronized void charged(String what, Balance balance) {
    spent =
        String.format(
            "mu %s of %s, epsilon %s of %s",
            Show.cost(balance.spent().mu()),
            Show.cost(balance.budget().cap().mu()),
            Show.cost(balance.epsilonSpent()),
            Show.left(balance.budget().epsilon()));
  }

  @Override
  public synchronized void step(String name, int done, int steps) {
    if (!terminal) {
      if (done == steps) {
        errors.println(name + " (of " + runs + " runs): " + steps + " steps; spent " + spent);
        errors.flush();
      }
      return;
    }
    if (bar == null || !run.equals(name)) {
      closeBar();
      run = name;
      bar =
          new ProgressBarBuilder()
              .setTaskName(name)
              .setInitialMax(steps)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(200)
              .build();
    }
    bar.setExtraMessage(" " + spent);
    bar.stepTo(done);
  }

  @Override
  public synchronized void note(String line) {
    closeBar();
    errors.println(line);
    errors.flush();
  }

  @Override
  public synchronized void close() {
    closeBar();
  }

  private void closeBar() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
