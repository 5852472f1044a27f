package io.mutune.orchestrator.figure;

import io.mutune.orchestrator.figure.Plot.Bars;
import io.mutune.orchestrator.figure.Plot.Cell;
import io.mutune.orchestrator.figure.Plot.Matrix;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Bars in groups and squares of counts as static figures, in greys. */
final class GroupFigures {
  private static final List<Color> GREYS =
      List.of(
          new Color(0x44, 0x44, 0x44), new Color(0x99, 0x99, 0x99), new Color(0xDD, 0xDD, 0xDD));
  private static final float THIN = 0.5f;

  private GroupFigures() {}

  static XYChart drawing(String title, Plot plot) {
    return plot instanceof Bars bars ? bars(title, bars) : matrix(title, (Matrix) plot);
  }

  private static XYChart bars(String title, Bars plot) {
    double end = plot.x().max();
    int groups = plot.groups().size();
    double names = Figures.room(plot.groups().stream());
    XYChart chart = empty(title, plot.x().name(), -names * end, end, groups);
    chart.getStyler().setLegendVisible(true);
    double height = 0.8 / plot.sets().size();
    for (int s = 0; s < plot.sets().size(); s++) {
      Plot.BarSet set = plot.sets().get(s);
      for (int g = 0; g < groups; g++) {
        double top = -g + 0.4 - s * height;
        String name = g == 0 ? set.name() : set.name() + " " + g;
        filled(chart, name, 0, set.values().get(g), top - height, top, GREYS.get(s % GREYS.size()))
            .setShowInLegend(g == 0);
      }
    }
    for (int g = 0; g < groups; g++) {
      chart.addAnnotation(new AnnotationText(plot.groups().get(g), -names / 2 * end, -g, false));
    }
    return chart;
  }

  private static XYChart matrix(String title, Matrix plot) {
    int n = plot.names().size();
    double names = Math.max(1, Figures.room(plot.names().stream()) * n);
    XYChart chart = empty(title, plot.columns(), -names, n, n + 1);
    chart.setYAxisTitle(plot.rows());
    for (int row = 0; row < n; row++) {
      chart.addAnnotation(new AnnotationText(plot.names().get(row), -names / 2, -row - 1, false));
      chart.addAnnotation(new AnnotationText(plot.names().get(row), row + 0.5, 0, false));
      for (int column = 0; column < n; column++) {
        Cell cell = plot.cells().get(row).get(column);
        // No darker than black letters can be read on.
        int grey = (int) Math.round(255 - 145 * cell.share());
        filled(
                chart,
                row + " " + column,
                column,
                column + 1.0,
                -row - 1.5,
                -row - 0.5,
                new Color(grey, grey, grey))
            .setShowInLegend(false);
        chart.addAnnotation(new AnnotationText(cell.text(), column + 0.5, -row - 1, false));
      }
    }
    return chart;
  }

  /** With so many lines below each other, the first at 0. */
  static XYChart empty(String title, String x, double min, double max, int lines) {
    XYChart chart = SvgChart.of(title, x, "");
    chart.getStyler().setLegendVisible(false);
    chart
        .getStyler()
        .setPlotGridLinesVisible(false)
        .setAxisTicksVisible(false)
        .setXAxisMin(min)
        .setXAxisMax(max)
        .setYAxisMin(-lines + 0.4)
        .setYAxisMax(0.6);
    return chart;
  }

  private static XYSeries filled(
      XYChart chart, String name, double from, double to, double low, double high, Color colour) {
    XYSeries box = box(chart, name, from, to, low, high);
    box.setLineStyle(new BasicStroke(THIN));
    box.setXYSeriesRenderStyle(XYSeriesRenderStyle.PolygonArea);
    box.setFillColor(colour);
    return box;
  }

  /** The outline of one. */
  static XYSeries box(XYChart chart, String name, double from, double to, double low, double high) {
    XYSeries box =
        chart.addSeries(
            name,
            new double[] {from, to, to, from, from},
            new double[] {low, low, high, high, low});
    box.setMarker(SeriesMarkers.NONE);
    box.setLineColor(Color.BLACK);
    return box;
  }
}
