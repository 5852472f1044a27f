package io.mutune.orchestrator.cli.run;

import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The last line of a terminal, on standard error, which says how far one work is. Whatever counts
 * something may show itself there, one at a time.
 */
final class ConsoleBar implements AutoCloseable {
  private static final String TERMINAL = "mutune.terminal";
  private static final String WIDTH = "mutune.columns";
  private static final int USUAL_WIDTH = 80;
  private static final int SHORTEST_PAUSE_MILLIS = 200;

  /** Where nobody has said how much there is. */
  static final long UNKNOWN = -1;

  private @Nullable ProgressBar bar;
  private String work = "";

  /** Whether standard error is a terminal; the launcher looks. */
  static boolean isWanted() {
    return Boolean.getBoolean(TERMINAL);
  }

  /** Work whose size is not known, with the time that it has taken; its line goes at its end. */
  void show(String name) {
    if (bar == null || !work.equals(name)) {
      open(name, builder(name, "").clearDisplayOnFinish().setInitialMax(UNKNOWN));
    }
  }

  /**
   * Work of which a part is done. What was done before it was first shown is not counted for its
   * speed.
   *
   * @param all {@link #UNKNOWN} if nothing tells
   * @param unit what is counted
   * @param beside what else to say, in parts with commas between
   */
  void show(String name, long done, long all, String unit, String beside) {
    if (bar == null || !work.equals(name)) {
      open(name, builder(name, unit).setInitialMax(all).startsFrom(done, Duration.ZERO));
    }
    step(done, beside);
  }

  /**
   * Rows of which some are read; the line goes at its end, as the last count may be none of all.
   */
  void showRows(String name, long done, long all) {
    if (bar == null || !work.equals(name)) {
      ProgressBarBuilder rows = builder(name, "rows").clearDisplayOnFinish();
      open(name, rows.setInitialMax(all).startsFrom(done, Duration.ZERO));
    }
    step(done, "");
  }

  private void step(long done, String beside) {
    if (bar != null) {
      bar.setExtraMessage(beside);
      bar.stepTo(done);
    }
  }

  private void open(String name, ProgressBarBuilder next) {
    close();
    bar = next.build();
    work = name;
  }

  /**
   * Writes to standard error and asks no terminal for its width: the library would open one by
   * JLine, which takes the handlers of SIGINT away, so that Ctrl-C would kill within a step.
   */
  private static ProgressBarBuilder builder(String name, String unit) {
    int columns = Integer.getInteger(WIDTH, USUAL_WIDTH);
    int width = columns > 1 ? columns - 1 : USUAL_WIDTH;
    return new ProgressBarBuilder()
        .setTaskName(name)
        .setUpdateIntervalMillis(SHORTEST_PAUSE_MILLIS)
        .setRenderer(new ProgressLine(unit))
        .setConsumer(new ConsoleProgressBarConsumer(System.err, width));
  }

  /** Ends the line; what is shown next begins another. */
  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
