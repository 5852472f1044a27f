package io.mutune.orchestrator.figure;

import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Parallel;
import io.mutune.orchestrator.figure.Plot.Series;
import io.mutune.orchestrator.figure.Plot.Span;
import io.mutune.orchestrator.figure.Plot.Spans;
import io.mutune.orchestrator.figure.Plot.Strip;
import io.mutune.orchestrator.figure.Plot.Strips;
import io.mutune.orchestrator.figure.Plot.Track;
import io.mutune.orchestrator.figure.Plot.Xy;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The charts of a page as static SVG files, for papers. */
public final class Figures {
  private static final Color GREY = new Color(0x77, 0x77, 0x77);
  private static final Color FAINT = new Color(0xDD, 0xDD, 0xDD);
  private static final float THIN = 1f;

  /** Beside its point, as a share of the axis. */
  private static final double LABEL_OFFSET = 0.022;

  /** Room for one letter of a bar's name, as a share of the axis. */
  private static final double LETTER = 0.02;

  /** The head of an arrow, as a share of the width. */
  private static final double ARROW = 0.012;

  /** Half of its height, as a share of that of all strips. */
  private static final double ARROW_HALF = 0.012;

  private static final int DASHED_PARTS = 16;

  private Figures() {}

  /**
   * Writes {@code ID.svg} for each chart.
   *
   * @param folder made if there is something to write
   */
  public static void write(List<Chart> charts, Path folder) throws IOException {
    if (charts.isEmpty()) {
      return;
    }
    Files.createDirectories(folder);
    for (Chart chart : charts) {
      write(chart.title(), chart.plot(), folder.resolve(chart.id() + ".svg"));
    }
  }

  /** Writes one of them to this file. */
  public static void write(String title, Plot plot, Path file) throws IOException {
    SvgChart.write(drawing(title, plot), file);
  }

  private static XYChart drawing(String title, Plot plot) {
    if (plot instanceof Xy xy) {
      return xy(title, xy);
    }
    if (plot instanceof Spans spans) {
      return spans(title, spans);
    }
    if (plot instanceof Plot.Bars || plot instanceof Plot.Matrix) {
      return GroupFigures.drawing(title, plot);
    }
    return plot instanceof Strips strips ? strips(title, strips) : parallel(title, (Parallel) plot);
  }

  private static XYChart xy(String title, Xy plot) {
    XYChart chart = SvgChart.of(title, plot.x().name(), plot.y().name());
    chart
        .getStyler()
        .setLegendLayout(plot.series().size() > 2 ? LegendLayout.Vertical : LegendLayout.Horizontal)
        .setLegendVisible(plot.series().size() > 1)
        .setMarkerSize(9);
    chart
        .getStyler()
        .setXAxisMin(plot.x().min())
        .setXAxisMax(plot.x().max())
        .setYAxisMin(plot.y().min())
        .setYAxisMax(plot.y().max())
        .setXAxisLogarithmic(plot.x().scale() == Axis.Scale.LOG)
        .setYAxisLogarithmic(plot.y().scale() == Axis.Scale.LOG)
        .setXAxisTickLabelsFormattingFunction(tick(plot.x()))
        .setYAxisTickLabelsFormattingFunction(tick(plot.y()))
        .setErrorBarsColor(Color.BLACK);
    for (Series series : plot.series()) {
      add(chart, series);
      for (Dot dot : series.dots()) {
        if (!dot.label().isEmpty()) {
          double x = plot.x().at(plot.x().share(dot.x()) + LABEL_OFFSET);
          chart.addAnnotation(new AnnotationText(dot.label(), x, dot.y(), false));
        }
      }
    }
    return chart;
  }

  private static Function<Double, String> tick(Axis axis) {
    return value ->
        axis.scale() == Axis.Scale.WHOLE && value != Math.rint(value) ? "" : axis.shown(value);
  }

  private static XYSeries add(XYChart chart, Series series) {
    List<Dot> dots = series.mark() == Mark.DASHED ? thinned(series.dots()) : series.dots();
    double[] x = dots.stream().mapToDouble(Dot::x).toArray();
    double[] y = dots.stream().mapToDouble(Dot::y).toArray();
    boolean hasBars = dots.stream().anyMatch(Dot::hasBar);
    XYSeries drawn =
        hasBars
            ? chart.addSeries(series.name(), x, y, bars(dots))
            : chart.addSeries(series.name(), x, y);
    drawn.setLineColor(Color.BLACK);
    if (series.mark().isLine()) {
      drawn.setMarker(SeriesMarkers.NONE).setLineStyle(stroke(series.mark(), 2f));
    } else {
      drawn.setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
      drawn.setMarker(SvgMarker.of(series.mark())).setMarkerColor(Color.BLACK);
    }
    return drawn;
  }

  /** The longer side of each: these figures have bars of two equal ones alone. */
  private static double[] bars(List<Dot> dots) {
    return dots.stream().mapToDouble(d -> Math.max(d.high() - d.y(), d.y() - d.low())).toArray();
  }

  /** Dashes begin anew at every point, so points must be further apart than a dash. */
  private static List<Dot> thinned(List<Dot> dots) {
    int last = dots.size() - 1;
    int step = Math.max(1, last / DASHED_PARTS);
    return IntStream.rangeClosed(0, last)
        .filter(i -> i == last || (i % step == 0 && last - i >= step))
        .mapToObj(dots::get)
        .toList();
  }

  private static BasicStroke stroke(Mark mark, float width) {
    return switch (mark) {
      case DASHED -> SvgChart.dashed(8, 5);
      case DOTTED -> SvgChart.dashed(2, 4);
      default -> new BasicStroke(width);
    };
  }

  static double room(Stream<String> names) {
    return LETTER * Math.max(8, names.mapToInt(String::length).max().orElse(0));
  }

  /** Without ticks: every bar says its value. */
  private static XYChart spans(String title, Spans plot) {
    double end = plot.x().max();
    int bars = plot.spans().size();
    double names = room(plot.spans().stream().map(Span::label));
    XYChart chart = GroupFigures.empty(title, plot.x().name(), -names * end, 1.1 * end, bars);
    for (int i = 0; i < bars; i++) {
      Span span = plot.spans().get(i);
      XYSeries box =
          GroupFigures.box(chart, Integer.toString(i), span.from(), span.to(), -i - 0.3, -i + 0.3);
      box.setLineStyle(span.solid() ? new BasicStroke(THIN) : SvgChart.dashed(3, 3));
      if (span.solid()) {
        box.setXYSeriesRenderStyle(XYSeriesRenderStyle.PolygonArea);
        box.setFillColor(new Color(0xBB, 0xBB, 0xBB));
      }
      chart.addAnnotation(new AnnotationText(span.label(), -names / 2 * end, -i, false));
      boolean within = span.to() - span.from() > 0.3 * end;
      double beside = 0.05 * (1.1 + names) * end;
      double at = within ? (span.from() + span.to()) / 2 : span.to() + beside;
      chart.addAnnotation(
          new AnnotationText(
              span.text(), within || at < end ? at : span.from() - beside, -i, false));
    }
    return chart;
  }

  private static XYChart strips(String title, Strips plot) {
    int count = plot.strips().size();
    XYChart chart = SvgChart.of(title, plot.x().name(), "", count);
    double names = room(plot.strips().stream().map(Strip::label));
    double width = plot.x().max() - plot.x().min();
    double head = ARROW * (1 + names) * width;
    chart.getStyler().setLegendVisible(!plot.lines().isEmpty()).setMarkerSize(7);
    chart
        .getStyler()
        .setPlotGridLinesVisible(false)
        .setAxisTicksVisible(false)
        .setXAxisMin(plot.x().min() - names * width)
        .setXAxisMax(plot.x().max() + 0.1 * width)
        .setYAxisMin(-count - 0.3)
        .setYAxisMax(0.6);
    for (double tick : plot.x().ticks()) {
      chart.addAnnotation(new AnnotationText(plot.x().shown(tick), tick, -count, false));
      across(chart, "tick " + tick, tick, count, FAINT, Mark.SOLID).setShowInLegend(false);
    }
    for (Plot.Line line : plot.lines()) {
      across(chart, line.name(), line.value(), count, Color.BLACK, line.mark());
    }
    for (int i = 0; i < count; i++) {
      Strip strip = plot.strips().get(i);
      chart.addAnnotation(
          new AnnotationText(strip.label(), plot.x().min() - 0.55 * names * width, -i, false));
      at(chart, "values " + i, Mark.RING, -i, strip.values());
      if (strip.high() > strip.low()) {
        double low = Math.max(plot.x().min(), strip.low());
        double high = Math.min(plot.x().max(), strip.high());
        bar(chart, "interval " + i, new double[] {low, high}, new double[] {-i, -i});
        if (low > strip.low()) {
          arrow(chart, "below " + i, low, head, -i, ARROW_HALF * count);
        }
        if (high < strip.high()) {
          arrow(chart, "above " + i, high, -head, -i, ARROW_HALF * count);
        }
      }
      at(chart, "value " + i, Mark.DIAMOND, -i, List.of(strip.value()));
    }
    return chart;
  }

  /** A vertical line through all strips. */
  private static XYSeries across(
      XYChart chart, String name, double x, int count, Color color, Mark mark) {
    XYSeries line = chart.addSeries(name, new double[] {x, x}, new double[] {-count + 0.4, 0.5});
    line.setLineColor(color);
    line.setMarker(SeriesMarkers.NONE).setLineStyle(stroke(mark, THIN));
    return line;
  }

  private static void bar(XYChart chart, String name, double[] x, double[] y) {
    XYSeries line = chart.addSeries(name, x, y);
    line.setLineColor(Color.BLACK);
    line.setMarker(SeriesMarkers.NONE).setLineStyle(new BasicStroke(2f));
    line.setShowInLegend(false);
  }

  /** The head of one that points at x, from so far right of it. */
  private static void arrow(
      XYChart chart, String name, double x, double length, double y, double half) {
    bar(
        chart,
        name,
        new double[] {x + length, x, x + length},
        new double[] {y + half, y, y - half});
  }

  private static void at(XYChart chart, String name, Mark mark, double y, List<Double> values) {
    if (!values.isEmpty()) {
      add(chart, new Series(name, mark, values.stream().map(x -> Dot.at(x, y)).toList()))
          .setShowInLegend(false);
    }
  }

  private static XYChart parallel(String title, Parallel plot) {
    XYChart chart = SvgChart.of(title, "", "");
    int axes = plot.axes().size();
    chart
        .getStyler()
        .setAxisTicksVisible(false)
        .setPlotGridLinesVisible(false)
        .setXAxisMin(-0.4)
        .setXAxisMax(axes - 0.6)
        .setYAxisMin(-0.12)
        .setYAxisMax(1.2);
    for (int a = 0; a < axes; a++) {
      Axis axis = plot.axes().get(a);
      XYSeries line = chart.addSeries("axis " + a, new double[] {a, a}, new double[] {0, 1});
      line.setMarker(SeriesMarkers.NONE);
      line.setLineColor(GREY);
      line.setLineStyle(new BasicStroke(THIN));
      line.setShowInLegend(false);
      chart.addAnnotation(new AnnotationText(axis.name(), a, 1.13, false));
      chart.addAnnotation(new AnnotationText(axis.shown(axis.max()), a, 1.05, false));
      chart.addAnnotation(new AnnotationText(axis.shown(axis.min()), a, -0.06, false));
    }
    Set<Mark> named = new HashSet<>();
    for (Track track : plot.tracks()) {
      add(chart, plot.axes(), track, named.add(track.mark()));
    }
    return chart;
  }

  /** One run, named as its kind for the first of them. */
  private static void add(XYChart chart, List<Axis> axes, Track track, boolean first) {
    List<Integer> known = new ArrayList<>();
    IntStream.range(0, axes.size()).filter(a -> track.values().get(a) != null).forEach(known::add);
    double[] y = new double[known.size()];
    for (int i = 0; i < y.length; i++) {
      Double value = track.values().get(known.get(i));
      y[i] = value == null ? 0 : axes.get(known.get(i)).share(value);
    }
    if (y.length == 0) {
      return;
    }
    String kind =
        switch (track.mark()) {
          case DASHED -> "final run";
          case SOLID -> "best score";
          default -> "other trials";
        };
    XYSeries line =
        chart.addSeries(
            first ? kind : track.name(), known.stream().mapToDouble(a -> a).toArray(), y);
    line.setMarker(SeriesMarkers.NONE);
    line.setLineColor(Color.BLACK);
    line.setLineStyle(stroke(track.mark(), 2f));
    line.setShowInLegend(first);
  }
}
