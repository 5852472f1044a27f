package io.mutune.orchestrator.accounting;

import de.erichseifert.vectorgraphics2d.Document;
import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Lines over two axes as an SVG, told apart without colours. */
final class Drawing {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 480;
  private static final BasicStroke[] STROKES = {
    new BasicStroke(2f), dashed(8, 5), dashed(2, 4), dashed(10, 4, 2, 4),
  };

  private final XYChart chart;
  private int lines;

  Drawing(String title, String x, String y, LegendPosition legend) {
    System.setProperty("java.awt.headless", "true");
    chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    chart
        .getStyler()
        .setLegendPosition(legend)
        .setChartBackgroundColor(Color.WHITE)
        .setPlotBackgroundColor(Color.WHITE)
        .setLegendBorderColor(Color.WHITE)
        .setChartTitleBoxVisible(false)
        .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15))
        .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13))
        .setLegendSeriesLineLength(36)
        .setChartPadding(12);
    chart
        .getStyler()
        .setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14))
        .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12))
        .setPlotGridLinesColor(new Color(0xDD, 0xDD, 0xDD))
        .setPlotMargin(0);
  }

  /** With axes from 0 to these. */
  Drawing to(double x, double y) {
    chart.getStyler().setXAxisMin(0.0).setXAxisMax(x).setYAxisMin(0.0).setYAxisMax(y);
    return this;
  }

  Drawing line(String name, double[] x, double[] y) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(Color.BLACK);
    series.setLineStyle(STROKES[lines++ % STROKES.length]);
    return this;
  }

  void write(Path file) throws IOException {
    VectorGraphics2D graphics = new VectorGraphics2D();
    chart.paint(graphics, WIDTH, HEIGHT);
    Document document =
        Processors.get("svg").getDocument(graphics.getCommands(), new PageSize(WIDTH, HEIGHT));
    try (OutputStream out = Files.newOutputStream(file)) {
      document.writeTo(out);
    }
  }

  private static BasicStroke dashed(float... lengths) {
    return new BasicStroke(2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, lengths, 0f);
  }
}
