package io.mutune.orchestrator.figure;

import de.erichseifert.vectorgraphics2d.Document;
import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.geom.Path2D;
import java.awt.geom.PathIterator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** The look that all SVG figures share, and how they are written: black on white, for papers. */
final class SvgChart {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 480;

  /** Title, axis and legend. */
  private static final int AROUND = 120;

  private static final int LINE = 20;

  private static final Pattern LONG_FRACTION = Pattern.compile("\\d+\\.\\d{3,}");
  private static final String OUTLINE = " d=\"";

  private SvgChart() {}

  /** An empty chart. */
  static XYChart of(String title, String x, String y) {
    return of(title, x, y, 0);
  }

  /**
   * An empty chart for a list.
   *
   * @param lines of it, each of which has room for its name
   */
  static XYChart of(String title, String x, String y, int lines) {
    System.setProperty("java.awt.headless", "true");
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(Math.max(HEIGHT, AROUND + LINE * lines))
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    chart
        .getStyler()
        .setChartBackgroundColor(Color.WHITE)
        .setPlotBackgroundColor(Color.WHITE)
        .setLegendBorderColor(Color.WHITE)
        .setChartTitleBoxVisible(false)
        .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15))
        .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13))
        .setLegendSeriesLineLength(36)
        .setAnnotationTextFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12))
        .setChartPadding(12);
    chart
        .getStyler()
        .setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14))
        .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12))
        .setPlotGridLinesColor(new Color(0xDD, 0xDD, 0xDD))
        .setPlotMargin(0);
    return chart;
  }

  /** A line of dashes and gaps of these lengths. */
  static BasicStroke dashed(float... lengths) {
    return new BasicStroke(2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, lengths, 0f);
  }

  /**
   * Writes a chart, its coordinates to a hundredth of a pixel.
   *
   * @throws IOException if the file cannot be written
   */
  static void write(XYChart chart, Path file) throws IOException {
    VectorGraphics2D graphics = new Hundredths();
    int height = chart.getHeight();
    chart.paint(graphics, WIDTH, height);
    Document document =
        Processors.get("svg").getDocument(graphics.getCommands(), new PageSize(WIDTH, height));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    document.writeTo(bytes);
    Files.writeString(file, rounded(bytes.toString(StandardCharsets.UTF_8)));
  }

  /** What is not rounded yet: outlines, which are nearly all of a file, are passed over. */
  private static String rounded(String svg) {
    StringBuilder text = new StringBuilder(svg.length());
    int from = 0;
    for (int at = svg.indexOf(OUTLINE); at >= 0; at = svg.indexOf(OUTLINE, from)) {
      text.append(shortened(svg.substring(from, at)));
      from = svg.indexOf('"', at + OUTLINE.length());
      text.append(svg, at, from);
    }
    return text.append(shortened(svg.substring(from))).toString();
  }

  private static String shortened(String text) {
    return LONG_FRACTION
        .matcher(text)
        .replaceAll(
            number ->
                new BigDecimal(number.group()).setScale(2, RoundingMode.HALF_UP).toPlainString());
  }

  /** Text is thousands of outlines' points: they are rounded before they are written as words. */
  private static final class Hundredths extends VectorGraphics2D {
    @Override
    public void draw(Shape shape) {
      super.draw(rounded(shape));
    }

    @Override
    public void fill(Shape shape) {
      super.fill(rounded(shape));
    }

    private static Shape rounded(Shape shape) {
      if (!(shape instanceof Path2D path)) {
        return shape;
      }
      Path2D rounded = new Path2D.Double(path.getWindingRule());
      double[] at = new double[6];
      for (var points = path.getPathIterator(null); !points.isDone(); points.next()) {
        int kind = points.currentSegment(at);
        for (int i = 0; i < at.length; i++) {
          at[i] = Math.rint(100 * at[i]) / 100;
        }
        switch (kind) {
          case PathIterator.SEG_MOVETO -> rounded.moveTo(at[0], at[1]);
          case PathIterator.SEG_LINETO -> rounded.lineTo(at[0], at[1]);
          case PathIterator.SEG_QUADTO -> rounded.quadTo(at[0], at[1], at[2], at[3]);
          case PathIterator.SEG_CUBICTO ->
              rounded.curveTo(at[0], at[1], at[2], at[3], at[4], at[5]);
          default -> rounded.closePath();
        }
      }
      return rounded;
    }
  }
}
