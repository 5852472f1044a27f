package io.mutune.orchestrator.figure;

import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import java.util.ArrayList;
import java.util.List;

/** Takes the labels of points away that would lie over another one's. */
public final class Labels {
  /** As a share of an axis: a line of text on the smallest chart, a phone's. */
  private static final double APART = 0.1;

  private Labels() {}

  /** The first of close labels stays. */
  public static List<Series> apart(Axis x, Axis y, List<Series> series) {
    List<Dot> kept = new ArrayList<>();
    List<Series> result = new ArrayList<>();
    for (Series one : series) {
      List<Dot> dots = new ArrayList<>();
      for (Dot dot : one.dots()) {
        boolean close = kept.stream().anyMatch(other -> close(x, y, dot, other));
        if (!dot.label().isEmpty() && !close) {
          kept.add(dot);
        }
        dots.add(close ? new Dot(dot.x(), dot.y(), dot.low(), dot.high(), "") : dot);
      }
      result.add(new Series(one.name(), one.mark(), dots));
    }
    return result;
  }

  private static boolean close(Axis x, Axis y, Dot one, Dot other) {
    return Math.abs(x.share(one.x()) - x.share(other.x())) < APART
        && Math.abs(y.share(one.y()) - y.share(other.y())) < APART;
  }
}
