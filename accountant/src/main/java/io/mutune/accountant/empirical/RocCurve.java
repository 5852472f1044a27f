package io.mutune.accountant.empirical;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How well a score tells rows that took part from rows that did not, at every threshold. */
public final class RocCurve {
  /**
   * One threshold.
   *
   * @param falsePositives share of the rows that did not take part which lie above it
   * @param truePositives share of those that did
   */
  public record Point(double falsePositives, double truePositives) {}

  private final List<Point> points;
  private final double area;

  private RocCurve(List<Point> points, double area) {
    this.points = List.copyOf(points);
    this.area = area;
  }

  /**
   * The curve of two samples of a score.
   *
   * @param members scores of rows that took part, none of them NaN; greater says more likely
   * @param others scores of rows that did not
   */
  public static RocCurve of(double[] members, double[] others) {
    double[] in = sorted(members);
    double[] out = sorted(others);
    List<Point> points = new ArrayList<>();
    points.add(new Point(0, 0));
    double area = 0;
    int i = in.length;
    int o = out.length;
    while (i > 0 || o > 0) {
      double next = Math.max(i > 0 ? in[i - 1] : -1 / 0.0, o > 0 ? out[o - 1] : -1 / 0.0);
      int ins = i;
      int outs = o;
      while (i > 0 && in[i - 1] == next) {
        i--;
      }
      while (o > 0 && out[o - 1] == next) {
        o--;
      }
      // Ties are a slanted piece, which counts them half.
      area += (double) (outs - o) * ((in.length - ins) + (in.length - i)) / 2;
      points.add(
          new Point((double) (out.length - o) / out.length, (double) (in.length - i) / in.length));
    }
    return new RocCurve(points, area / in.length / out.length);
  }

  private static double[] sorted(double[] scores) {
    if (scores.length == 0 || Arrays.stream(scores).anyMatch(Double::isNaN)) {
      throw new IllegalArgumentException("a curve needs a score for some rows on either side");
    }
    double[] sorted = scores.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  /** From (0, 0) to (1, 1). */
  public List<Point> points() {
    return points;
  }

  /** The chance that a row that took part has the greater score; ½ for guessing. */
  public double area() {
    return area;
  }

  /** The most true positives at no more than so many false ones, as shares. */
  public double truePositivesAt(double falsePositives) {
    double most = 0;
    for (Point point : points) {
      if (point.falsePositives() <= falsePositives) {
        most = Math.max(most, point.truePositives());
      }
    }
    return most;
  }
}
