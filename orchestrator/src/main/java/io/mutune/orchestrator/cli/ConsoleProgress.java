package io.mutune.orchestrator.cli;

import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.ledger.Balance;
import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.study.HolderListener;
import io.mutune.orchestrator.study.Spending;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyListener;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows how a study goes on, on standard error: a bar for the trials together and one for the final
 * run where that is a terminal (the launcher looks), a line a run elsewhere. Steps, runs and budget
 * only.
 */
final class ConsoleProgress implements StudyListener, HolderListener, AutoCloseable {
  private static final String BAR_PROPERTY = "mutune.terminal";
  private static final String WIDTH_PROPERTY = "mutune.columns";
  private static final int USUAL_WIDTH = 80;

  private final PrintWriter errors;
  private final int trials;
  private final int trialSteps;
  private final boolean terminal = Boolean.getBoolean(BAR_PROPERTY);
  private final Map<String, Integer> stepsDone = new HashMap<>();
  private @Nullable ProgressBar bar;
  private String phase = "";
  private String budget = "";

  ConsoleProgress(Study study, PrintWriter errors) {
    this.errors = errors;
    this.trials = study.plan().trials().size();
    this.trialSteps = study.plan().trials().stream().mapToInt(PlannedTrial::steps).sum();
  }

  @Override
  public synchronized void charged(String what, Spending spending) {
    budget =
        spending
            .inMu()
            .map(ConsoleProgress::shown)
            .orElseGet(
                () ->
                    String.format(
                        "%d of %d planned charges made",
                        spending.charges().size(), spending.planned()));
  }

  private static String shown(Balance balance) {
    return String.format(
        "epsilon %s spent %s left, mu %s/%s",
        PrintedNumber.up(balance.epsilonSpent().value(), 3),
        PrintedNumber.down(balance.epsilonLeft().value(), 3),
        PrintedNumber.up(balance.spent().mu().value(), 3),
        PrintedNumber.down(balance.left().mu().value(), 3));
  }

  @Override
  public synchronized void step(String name, int done, int steps) {
    stepsDone.put(name, done);
    boolean last = name.equals(Question.FINAL.name());
    if (!terminal) {
      if (done == steps) {
        String label = last ? name : name + "/" + trials;
        errors.println(label + ": " + steps + " steps; " + budget);
        errors.flush();
      }
      return;
    }
    show(last ? name : "trials", last ? done : trialStepsDone(), last ? steps : trialSteps);
  }

  private int trialStepsDone() {
    return stepsDone.values().stream().mapToInt(Integer::intValue).sum();
  }

  private void show(String wanted, int done, int steps) {
    if (bar == null || !phase.equals(wanted)) {
      closeBar();
      phase = wanted;
      bar =
          new ProgressBarBuilder()
              .setTaskName(wanted)
              .setInitialMax(steps)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(200)
              .setConsumer(console())
              .hideEta()
              .build();
    }
    bar.setExtraMessage(" " + budget);
    bar.stepTo(done);
  }

  /**
   * Writes to standard error and asks no terminal for its width: the library would open one by
   * JLine, which takes the handlers of SIGINT away, so that Ctrl-C would kill within a step.
   */
  private static ConsoleProgressBarConsumer console() {
    int columns = Integer.getInteger(WIDTH_PROPERTY, USUAL_WIDTH);
    return new ConsoleProgressBarConsumer(System.err, columns > 1 ? columns - 1 : USUAL_WIDTH);
  }

  @Override
  public synchronized void note(String line) {
    closeBar();
    errors.println(line);
    errors.flush();
  }

  @Override
  public void unfit(String part, long rows) {
    note(
        "mutune: %s: %d %s did not fit and %s left out (private: for whoever holds the file)"
            .formatted(part, rows, rows == 1 ? "row" : "rows", rows == 1 ? "was" : "were"));
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
