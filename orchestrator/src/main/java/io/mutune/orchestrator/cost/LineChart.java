package io.mutune.orchestrator.cost;

import io.mutune.orchestrator.figure.SvgChart;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Lines over two axes as an SVG, told apart without colours. */
final class LineChart {
  private static final BasicStroke[] STROKES = {
    new BasicStroke(2f), SvgChart.dashed(8, 5), SvgChart.dashed(2, 4), SvgChart.dashed(10, 4, 2, 4),
  };

  private final XYChart chart;
  private int lines;

  LineChart(String title, String x, String y, LegendPosition legend) {
    chart = SvgChart.of(title, x, y);
    chart.getStyler().setLegendPosition(legend);
  }

  /** With axes from 0 to these. */
  LineChart to(double x, double y) {
    chart.getStyler().setXAxisMin(0.0).setXAxisMax(x).setYAxisMin(0.0).setYAxisMax(y);
    return this;
  }

  LineChart line(String name, double[] x, double[] y) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(Color.BLACK);
    series.setLineStyle(STROKES[lines++ % STROKES.length]);
    return this;
  }

  void write(Path file) throws IOException {
    SvgChart.write(chart, file);
  }
}
