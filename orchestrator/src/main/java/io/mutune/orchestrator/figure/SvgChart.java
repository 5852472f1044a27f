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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** The look that all SVG figures share, and how they are written: black on white, for papers. */
final class SvgChart {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 480;

  /** Title, axis and legend. */
  private static final int AROUND = 120;

  private static final int LINE = 20;

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
        .setLegendPosition(LegendPosition.OutsideS)
        .setLegendLayout(LegendLayout.Horizontal)
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
   * Writes a chart, its coordinates to a hundredth of a pixel. One at a time: the library formats
   * numbers by an object that threads may not share.
   *
   * @throws IOException if the file cannot be written
   */
  static void write(XYChart chart, Path file) throws IOException {
    String svg;
    synchronized (SvgChart.class) {
      Outlines graphics = new Outlines();
      int height = chart.getHeight();
      chart.paint(graphics, WIDTH, height);
      Document document =
          Processors.get("svg").getDocument(graphics.getCommands(), new PageSize(WIDTH, height));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      document.writeTo(bytes);
      svg = graphics.filled(bytes.toString(StandardCharsets.UTF_8));
    }
    Files.writeString(file, svg);
  }

  /**
   * Keeps outlines, which are nearly all of a file since text is thousands of their points, and
   * draws a mark in place of each: the library would take most of a chart's time to write them.
   */
  private static final class Outlines extends VectorGraphics2D {
    private static final String START = " d=\"";
    private static final Pattern MARK = Pattern.compile("M(\\d+),0");
    private static final Pattern LONG_FRACTION = Pattern.compile("\\d+\\.\\d{3,}");

    private final List<String> outlines = new ArrayList<>();

    @Override
    public void draw(Shape shape) {
      super.draw(marked(shape));
    }

    @Override
    public void fill(Shape shape) {
      super.fill(marked(shape));
    }

    private Shape marked(Shape shape) {
      if (!(shape instanceof Path2D path)) {
        return shape;
      }
      Path2D mark = new Path2D.Double();
      mark.moveTo(outlines.size(), 0);
      outlines.add(written(path));
      return mark;
    }

    private static String written(Path2D path) {
      StringBuilder text = new StringBuilder();
      double[] at = new double[6];
      for (var points = path.getPathIterator(null); !points.isDone(); points.next()) {
        int kind = points.currentSegment(at);
        text.append(text.isEmpty() ? "" : " ").append("MLQCZ".charAt(kind));
        int numbers = new int[] {2, 2, 4, 6, 0}[kind];
        for (int i = 0; i < numbers; i++) {
          append(text, (long) Math.rint(100 * at[i]));
          text.append(i + 1 == numbers ? "" : i % 2 == 0 ? "," : " ");
        }
      }
      return text.toString();
    }

    private static void append(StringBuilder text, long hundredths) {
      long size = Math.abs(hundredths);
      text.append(hundredths < 0 ? "-" : "").append(size / 100);
      if (size % 100 != 0) {
        text.append('.').append(size / 10 % 10);
        text.append(size % 10 == 0 ? "" : size % 10);
      }
    }

    /** A document with the outlines in place of their marks, and all other numbers rounded. */
    String filled(String svg) {
      StringBuilder text = new StringBuilder();
      int from = 0;
      for (int at = svg.indexOf(START); at >= 0; at = svg.indexOf(START, from)) {
        int start = at + START.length();
        text.append(rounded(svg.substring(from, start)));
        from = svg.indexOf('"', start);
        Matcher mark = MARK.matcher(svg).region(start, from);
        text.append(
            mark.matches()
                ? outlines.get(Integer.parseInt(mark.group(1)))
                : rounded(svg.substring(start, from)));
      }
      return text.append(rounded(svg.substring(from))).toString();
    }

    private static String rounded(String text) {
      return LONG_FRACTION
          .matcher(text)
          .replaceAll(
              number ->
                  new BigDecimal(number.group()).setScale(2, RoundingMode.HALF_UP).toPlainString());
    }
  }
}
