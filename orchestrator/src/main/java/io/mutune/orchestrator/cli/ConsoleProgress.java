package io.mutune.orchestrator.cli;

import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.ledger.Balance;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.sweep.StudyPlan;
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
  private final int trials;
  private final boolean terminal = Boolean.getBoolean(BAR_PROPERTY);
  private @Nullable ProgressBar bar;
  private String run = "";
  private String spent = "";

  ConsoleProgress(Study study, PrintWriter errors) {
    this.errors = errors;
    this.trials = study.plan().trials().size();
  }

  @Override
  public synchronized void charged(String what, Balance balance) {
    spent =
        String.format(
            "epsilon %s of %s, mu %s of %s",
            short3(balance.epsilonSpent().value()),
            short3(balance.budget().epsilon().value()),
            short3(balance.spent().mu().value()),
            short3(balance.budget().cap().mu().value()));
  }

  @Override
  public synchronized void step(String name, int done, int steps) {
    if (!terminal) {
      if (done == steps) {
        errors.println(label(name) + ": " + steps + " steps; spent " + spent);
        errors.flush();
      }
      return;
    }
    if (bar == null || !run.equals(name)) {
      closeBar();
      run = name;
      bar =
          new ProgressBarBuilder()
              .setTaskName(label(name))
              .setInitialMax(steps)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(200)
              .hideEta()
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

  private String label(String name) {
    return name.equals(StudyPlan.finalName()) ? name : name + "/" + trials;
  }

  /** Three digits, rounded up: a line has to fit a terminal of 80 columns. */
  private static String short3(double cost) {
    return PrintedNumber.up(cost, 3);
  }

  private void closeBar() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
