package io.mutune.orchestrator.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The marks that the charting library of the figures does not have. */
final class SvgMarker {
  private static final int POINTS = 5;

  private SvgMarker() {}

  static Marker of(Mark mark) {
    return switch (mark) {
      case CIRCLE -> SeriesMarkers.CIRCLE;
      case SQUARE -> SeriesMarkers.SQUARE;
      case TRIANGLE -> SeriesMarkers.TRIANGLE_UP;
      case DIAMOND -> SeriesMarkers.DIAMOND;
      case CROSS -> SeriesMarkers.CROSS;
      case STAR -> new Star();
      case RING -> new Ring();
      case SOLID, DASHED, DOTTED -> SeriesMarkers.NONE;
    };
  }

  private static final class Star extends Marker {
    @Override
    public void paint(Graphics2D g, double x, double y, int size) {
      Path2D star = new Path2D.Double();
      for (int i = 0; i < 2 * POINTS; i++) {
        double radius = i % 2 == 0 ? size : 0.45 * size;
        double angle = Math.PI * i / POINTS - Math.PI / 2;
        double px = x + radius * Math.cos(angle);
        double py = y + radius * Math.sin(angle);
        if (i == 0) {
          star.moveTo(px, py);
        } else {
          star.lineTo(px, py);
        }
      }
      star.closePath();
      g.setColor(Color.BLACK);
      g.fill(star);
    }
  }

  private static final class Ring extends Marker {
    @Override
    public void paint(Graphics2D g, double x, double y, int size) {
      g.setColor(Color.BLACK);
      g.setStroke(new BasicStroke(1.5f));
      g.draw(new Ellipse2D.Double(x - size, y - size, 2.0 * size, 2.0 * size));
    }
  }
}
