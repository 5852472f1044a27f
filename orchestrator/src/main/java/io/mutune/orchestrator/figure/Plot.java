package io.mutune.orchestrator.figure;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a chart draws, in the page and for papers alike. */
public sealed interface Plot {
  /** The word for it in the page's script, which is the record's own. */
  default String kind() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Points and lines over two axes. */
  record Xy(Axis x, Axis y, List<Series> series) implements Plot {}

  /** Some points, or a line through them. */
  record Series(String name, Mark mark, List<Dot> dots) {}

  /**
   * A point.
   *
   * @param low where its error bar begins; y itself for none
   * @param high where its error bar ends
   * @param label beside it; may be empty
   */
  record Dot(double x, double y, double low, double high, String label) {
    public static Dot at(double x, double y) {
      return of(x, y, 0, "");
    }

    /** With a bar that goes as far up as down. */
    public static Dot of(double x, double y, double bar, String label) {
      return new Dot(x, y, y - bar, y + bar, label);
    }

    public boolean hasBar() {
      return low < high;
    }

    /** Where the bars of all of them begin and end. */
    public static double[] ends(Stream<Dot> dots) {
      return dots.flatMapToDouble(dot -> DoubleStream.of(dot.low, dot.high)).toArray();
    }
  }

  /** Bars from one value to another, the first at the top. */
  record Spans(Axis x, List<Span> spans) implements Plot {}

  /**
   * One bar.
   *
   * @param text at its end
   * @param solid an outline alone otherwise
   */
  record Span(String label, double from, double to, String text, boolean solid) {}

  /** Several bars from 0 for each of some groups, the first at the top. */
  record Bars(Axis x, List<String> groups, List<BarSet> sets) implements Plot {}

  /** One bar in every group. */
  record BarSet(String name, List<Double> values) {}

  /**
   * A square of counts, darker where they are a greater part of their row.
   *
   * @param rows what its rows are, the first at the top
   * @param columns what its columns are
   * @param names of both
   */
  record Matrix(String rows, String columns, List<String> names, List<List<Cell>> cells)
      implements Plot {}

  /**
   * One count.
   *
   * @param share of its row, from 0 to 1
   */
  record Cell(double share, String text) {}

  /** Values of several things on one axis, the first at the top, and lines to hold them against. */
  record Strips(Axis x, List<Strip> strips, List<Line> lines) implements Plot {}

  /**
   * One of them.
   *
   * @param value its mean, or whatever stands for it
   * @param low where its interval begins, which may be beyond the axis; value itself for none
   * @param high where its interval ends; likewise
   * @param values each by itself; may be empty
   */
  record Strip(String label, double value, double low, double high, List<Double> values) {}

  /** Across all of them. */
  record Line(String name, Mark mark, double value) {}

  /** A line for each run, across axes that stand side by side. */
  record Parallel(List<Axis> axes, List<Track> tracks) implements Plot {}

  /**
   * One run.
   *
   * @param values an entry for every axis; null where it has none
   */
  record Track(String name, Mark mark, List<@Nullable Double> values) {}
}
