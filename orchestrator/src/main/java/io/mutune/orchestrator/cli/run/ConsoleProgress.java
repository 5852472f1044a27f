package io.mutune.orchestrator.cli.run;

import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.ledger.Balance;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.HolderListener;
import io.mutune.orchestrator.study.Spending;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.trainer.data.RowListener;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Shows how a study goes on, on standard error: a bar for the trials together and one for the final
 * run where that is a terminal, a line a run elsewhere. Steps, runs and budget only; how fast they
 * go is said at the terminal alone.
 */
final class ConsoleProgress implements StudyListener, HolderListener, AutoCloseable {
  private static final int DIGITS = 3;
  private static final int MOST_NAME = 24;
  private static final String TRIAL = "trial ";

  private final PrintWriter errors;
  private final int trials;
  private final int trialSteps;
  private final boolean terminal = ConsoleBar.isWanted();
  private final Map<String, Integer> stepsDone = new HashMap<>();
  private final ConsoleBar bar = new ConsoleBar();
  private String budget = "";

  private ConsoleProgress(Study study, PrintWriter errors) {
    this.errors = errors;
    this.trials = study.plan().trials().size();
    this.trialSteps = study.plan().trials().stream().mapToInt(PlannedTrial::steps).sum();
  }

  /** Begins to show a study that may have done some of its steps already. */
  static ConsoleProgress of(StudyStore store, Study study, PrintWriter errors) {
    ConsoleProgress progress = new ConsoleProgress(study, errors);
    for (PlannedTrial trial : study.plan().trials()) {
      RunRecord record = store.trial(study.id(), trial.number());
      progress.stepsDone.put(
          study.plan().trialCharge(trial).what(),
          record.state().isTrained()
              ? trial.steps()
              : Math.min(record.stepsBegun(), trial.steps()));
    }
    if (progress.terminal) {
      progress.bar.show("reading rows");
    }
    return progress;
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

  /** Both are costs, and so both are rounded up: what is spent is never more than all of it. */
  private static String shown(Balance balance) {
    return "epsilon %s of %s, mu %s of %s"
        .formatted(
            up(balance.epsilonSpent().value()),
            up(balance.budget().epsilon().value()),
            up(balance.spent().mu().value()),
            up(balance.budget().cap().mu().value()));
  }

  private static String up(double value) {
    return PrintedNumber.up(value, DIGITS);
  }

  @Override
  public synchronized void step(String name, int done, int steps) {
    boolean last = !name.startsWith(TRIAL);
    if (!last) {
      stepsDone.put(name, done);
    }
    if (!terminal) {
      if (done == steps) {
        String label = last ? name : name + "/" + trials;
        errors.println(label + ": " + steps + " steps; " + budget);
        errors.flush();
      }
    } else if (last) {
      bar.show(name + " run", done, steps, "steps", budget);
    } else {
      int all = stepsDone.values().stream().mapToInt(Integer::intValue).sum();
      bar.show("trials", all, trialSteps, "steps", budget);
    }
  }

  @Override
  public synchronized void note(String line) {
    bar.close();
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
  public void unscored(String part) {
    note(
        "mutune: %s: the trainer failed to score these rows at least once, so that all of them"
                .formatted(part)
            + " counted as wrong and a score of them is noise alone (private: for whoever holds"
            + " the file)");
  }

  @Override
  public synchronized void close() {
    bar.close();
  }

  @Override
  public RowListener reading(String file, OptionalLong rows) {
    if (!terminal) {
      return RowListener.SILENT;
    }
    long all = rows.orElse(ConsoleBar.UNKNOWN);
    return new ReadingBar(done -> read(file, done, all), System::nanoTime);
  }

  private synchronized void read(String file, long done, long all) {
    bar.showRows(shortened(file), done, all);
  }

  /** So much of a file's name as leaves room for the rest of a line. */
  static String shortened(String name) {
    return name.length() <= MOST_NAME ? name : name.substring(0, MOST_NAME - 1) + "…";
  }
}
