package io.mutune.accountant.pld;

import io.mutune.accountant.pld.ConnectTheDots.Range;
import java.util.Arrays;

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
  private static final int CHOICES = 1 << 14;

  private MergedCells() {}

  /** What boundaries of the grid's cells leave to rounding. */
  private static final double EDGE = 1e-9;

  static LossMeasure of(PrivacyLoss loss, double spacing, Range range, double tilt) {
    long first = (long) Math.floor(range.bottom() / spacing) - 1;
    int points = Math.toIntExact((long) Math.ceil(range.top() / spacing) - first + 2);
    double[] masses = new double[points];
    double[] offsets = new double[points];
    Split low = loss.at((first - 0.5) * spacing);
    for (int i = 0; i < points; i++) {
      Split high = loss.at((first + i + 0.5) * spacing);
      double relative = Math.max(low.relative(), high.relative()) + 2 * Doubles.ULP;
      double p = mass(low.pBelow(), low.pAbove(), high.pBelow(), high.pAbove(), relative, -1);
      double q = mass(low.qBelow(), low.qAbove(), high.qBelow(), high.qAbove(), relative, 1);
      // Of smaller tails nothing is known but that they are smaller.
      p -= Double.MIN_NORMAL;
      q += Double.MIN_NORMAL;
      if (p > 0 && q > 0) {
        double place = (first + i) * spacing;
        double over = Math.log(p);
        double under = Math.log(q);
        double sizes = Math.abs(over) + Math.abs(under) + Math.abs(place);
        masses[i] = p;
        double offset = over - under - place - 4 * Doubles.ULP * sizes;
        // No loss of a cell is below its lower end, however little its masses say.
        double end = -spacing / 2 - low.shift() - 4 * Doubles.ULP * (Math.abs(place) + spacing);
        offsets[i] = Math.max(offset, end);
      }
      low = high;
    }
    double shift = shift(masses, offsets, spacing, tilt) - EDGE * spacing;
    double[] moved = new double[points + 1];
    for (int i = 0; i < points; i++) {
      if (masses[i] > 0) {
        // The largest point of the grid that is, with the shift, no more than the loss.
        double at = i + 1 + Math.floor((offsets[i] - shift) / spacing - EDGE / 2);
        if (at >= 0) {
          moved[(int) Math.min(points, at)] += masses[i] * (1 - 2 * Doubles.ULP);
        }
      }
    }
    int empty = 0;
    while (empty < points && moved[empty] == 0) {
      empty++;
    }
    return new LossMeasure(
        spacing,
        first - 1 + empty,
        Arrays.copyOfRange(moved, empty, points + 1),
        loss.infinite() * (1 - 2 * Doubles.ULP),
        shift);
  }

  /**
   * The one that lowers the tilted mean the least: a few losses may be lowered by a whole cell. Of
   * {@link #CHOICES} values within a cell, since any is sound.
   */
  private static double shift(double[] masses, double[] offsets, double spacing, double tilt) {
    double[] weights = new double[CHOICES + 1];
    double all = 0;
    double shrink = Math.exp(-tilt * spacing);
    double tilted = 1;
    for (int i = masses.length - 1; i >= 0; i--, tilted *= shrink) {
      if (masses[i] > 0) {
        double weight = masses[i] * tilted;
        // What is at this place or above is not lowered by a shift to it.
        double place = Math.floor((offsets[i] / spacing + 0.5) * CHOICES);
        weights[(int) Math.max(0, Math.min(CHOICES, place))] += weight;
        all += weight;
      }
    }
    double best = 0;
    double least = Double.POSITIVE_INFINITY;
    double lowered = 0;
    for (int i = 0; i <= CHOICES; i++) {
      double shift = (i / (double) CHOICES - 0.5) * spacing;
      double cost = spacing * lowered / all - shift;
      if (weights[i] > 0 && cost < least) {
        least = cost;
        best = shift;
      }
      lowered += weights[i];
    }
    return best;
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
