package io.mutune.orchestrator.cli.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import me.tongfei.progressbar.ProgressBarRenderer;
import me.tongfei.progressbar.ProgressState;

/**
 * A line of progress that fits its terminal: how much is done, how fast, how long it still takes,
 * and what is said beside it. Where there is no room for all of it, the last parts are left out
 * whole.
 *
 * @param unit of what is counted, such as {@code steps}
 */
record ProgressLine(String unit) implements ProgressBarRenderer {
  private static final int SHORTEST_BAR = 10;
  private static final int LONGEST_BAR = 30;
  private static final int SPEED = ", 0:00:00 left, 999/s".length();
  private static final String BETWEEN = ", ";

  @Override
  public String render(ProgressState progress, int columns) {
    long done = progress.getCurrent();
    double seconds = progress.getElapsedAfterStart().toMillis() / 1000.0;
    String line =
        progress.isIndefinite()
            ? endless(columns, progress.getTaskName(), done, seconds)
            : line(
                columns,
                progress.getTaskName(),
                done,
                progress.getMax(),
                rate(done - progress.getStart(), seconds),
                progress.getExtraMessage());
    // What a longer line before it left there is overwritten.
    return line + " ".repeat(Math.max(0, columns - line.length()));
  }

  /** Where it is not known how much there is; nothing need be counted. */
  String endless(int columns, String name, long done, double seconds) {
    List<String> parts = new ArrayList<>(List.of(name, time((long) Math.floor(seconds))));
    if (done > 0) {
      parts.add("%d %s".formatted(done, unit));
      rate(done, seconds).ifPresent(each -> parts.add(perSecond(each)));
    }
    return fitted(columns, parts);
  }

  private static OptionalDouble rate(long done, double seconds) {
    return done > 0 && seconds > 0 ? OptionalDouble.of(done / seconds) : OptionalDouble.empty();
  }

  /** The parts in the order of their weight, as many as there is room for. */
  String line(int columns, String name, long done, long all, OptionalDouble rate, String beside) {
    List<String> parts = new ArrayList<>();
    parts.add("%s %3d%%".formatted(name, all == 0 ? 100 : 100 * done / all));
    if (rate.isPresent() && done < all) {
      parts.add(time((long) Math.ceil((all - done) / rate.getAsDouble())) + " left");
    }
    parts.add("%d/%d %s".formatted(done, all, unit));
    rate.ifPresent(each -> parts.add(perSecond(each)));
    if (!beside.isEmpty()) {
      parts.addAll(List.of(beside.split(BETWEEN)));
    }
    String said = fitted(columns, parts);
    // A bar that would have to go for the speed is not shown before it either.
    int later = rate.isPresent() ? 0 : SPEED;
    int room = Math.min(LONGEST_BAR, columns - said.length() - 1 - later);
    return room < SHORTEST_BAR || said.length() < String.join(BETWEEN, parts).length()
        ? said
        : withBar(said, parts.get(0).length(), room - 2, all == 0 ? 1 : (double) done / all);
  }

  private static String withBar(String said, int place, int width, double share) {
    int filled = (int) Math.floor(width * share);
    String bar = " [" + "=".repeat(filled) + " ".repeat(width - filled) + "]";
    return said.substring(0, place) + bar + said.substring(place);
  }

  private static String fitted(int columns, List<String> parts) {
    String line = parts.get(0);
    for (String part : parts.subList(1, parts.size())) {
      if (line.length() + BETWEEN.length() + part.length() > columns) {
        break;
      }
      line += BETWEEN + part;
    }
    return line.length() <= columns ? line : line.substring(0, columns);
  }

  private static String perSecond(double rate) {
    return String.format(Locale.ROOT, rate < 10 ? "%.1f/s" : "%.0f/s", rate);
  }

  private static String time(long seconds) {
    Duration time = Duration.ofSeconds(seconds);
    return time.toHours() > 0
        ? "%d:%02d:%02d".formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart())
        : "%d:%02d".formatted(time.toMinutes(), time.toSecondsPart());
  }
}
