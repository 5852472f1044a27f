package io.mutune.accountant.pld;

import io.mutune.accountant.pld.ConnectTheDots.Range;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The optimistic discretisation: all outputs whose losses are in one cell of the grid are told as
 * one. That is post-processing, so that the pair of the merged outputs, and any composition of such
 * pairs, has a δ(ε) of no more than the truth. The loss of a cell, ln P(C)/Q(C), is near its
 * middle, which is a point of the grid; it is then lowered to one of the points less a small amount
 * that is common to all, and δ(ε) = E_P[(1 − e^(ε−L))₊] only falls when a loss does.
 *
 * <p>Every rounding error makes P's masses smaller and losses lower, and what is out of range is
 * dropped.
 */
final class MergedCells {
  private static final double ULP = 0x1p-52;

  private MergedCells() {}

  private record Cell(int index, double mass, double offset) {}

  static LossMeasure of(PrivacyLoss loss, double spacing, Range range, double tilt) {
    long first = (long) Math.floor(range.bottom() / spacing) - 1;
    int points = Math.toIntExact((long) Math.ceil(range.top() / spacing) - first + 2);
    List<Cell> cells = new ArrayList<>();
    Split low = loss.at((first - 0.5) * spacing);
    for (int i = 0; i < points; i++) {
      Split high = loss.at((first + i + 0.5) * spacing);
      double relative =
          Math.max(low.relative(), high.relative()) + low.shift() + high.shift() + 2 * ULP;
      double p = mass(low.pBelow(), low.pAbove(), high.pBelow(), high.pAbove(), relative, -1);
      double q = mass(low.qBelow(), low.qAbove(), high.qBelow(), high.qAbove(), relative, 1);
      if (p > 0 && q > 0) {
        double place = (first + i) * spacing;
        double lowest = Math.log(p) - Math.log(q);
        double rounding = 2 * ULP * (Math.abs(Math.log(p)) + Math.abs(Math.log(q)));
        cells.add(new Cell(i, p, lowest - rounding - place - 2 * ULP * Math.abs(place)));
      }
      low = high;
    }
    double shift = shift(cells, spacing, tilt);
    double[] masses = new double[points + 1];
    for (Cell cell : cells) {
      // The largest point of the grid that is, with the shift, no more than the loss.
      long up = (long) Math.floor((cell.offset() - shift) / spacing);
      long at = cell.index() + 1 + up;
      if (at >= 0) {
        masses[(int) Math.min(masses.length - 1, at)] += cell.mass();
      }
    }
    return new LossMeasure(spacing, first - 1, masses, loss.infinite() * (1 - 2 * ULP), shift);
  }

  /** The one that lowers the tilted mean the least: a few losses may be lowered by a whole cell. */
  private static double shift(List<Cell> cells, double spacing, double tilt) {
    List<Cell> sorted = new ArrayList<>(cells);
    sorted.sort(Comparator.comparingDouble(Cell::offset));
    int last = cells.isEmpty() ? 0 : cells.get(cells.size() - 1).index();
    double all = 0;
    for (Cell cell : sorted) {
      all += weight(cell, last, spacing, tilt);
    }
    double best = 0;
    double least = Double.POSITIVE_INFINITY;
    double lowered = 0;
    for (Cell cell : sorted) {
      double cost = spacing * lowered / all - cell.offset();
      if (cost < least) {
        least = cost;
        best = cell.offset();
      }
      lowered += weight(cell, last, spacing, tilt);
    }
    return best;
  }

  private static double weight(Cell cell, int last, double spacing, double tilt) {
    return cell.mass() * Math.exp(tilt * spacing * (cell.index() - last));
  }

  private static double mass(
      double lowBelow,
      double lowAbove,
      double highBelow,
      double highAbove,
      double relative,
      int side) {
    return lowAbove <= highBelow
        ? lowAbove - highAbove + side * relative * (lowAbove + highAbove)
        : highBelow - lowBelow + side * relative * (highBelow + lowBelow);
  }
}
