package io.mutune.accountant.pld;

import java.util.List;

/**
 * The pessimistic discretisation of Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022 ("Connect
 * the Dots"): in every cell of the grid, the masses of P and of Q are both kept and moved to the
 * cell's ends, of which no measure that is at least the pair's is smaller.
 *
 * <p>Rounding is met by making P's masses larger and Q's smaller, so that every sum of cells
 * upwards is no less in P and no more in Q than it should be: errors of the tails telescope, and
 * are not divided by the width of a cell. Where the losses of a cell's ends are rounded, the cell
 * is taken to be as much wider, and all losses are raised by {@link LossMeasure#shift}.
 */
final class ConnectTheDots {
  /**
   * Of a sum of cells upwards, above the median, one tail is off; below it, three masses are, and
   * the sum is at least a half. This is more than either needs where errors are alike.
   */
  private static final int TAILS = 8;

  /** Cells are so many times as wide beyond a core. */
  static final int STRIDE = 8;

  private final PrivacyLoss loss;
  private final double spacing;
  private final Range range;
  private final long first;
  private final double shift;
  private final double[] masses;
  private double infinite;

  /**
   * Where the losses are.
   *
   * @param bottom where smaller losses are taken up to
   * @param top above which losses are taken to be infinite
   * @param cores what has cells of the grid's own width, and then what has cells {@link #STRIDE}
   *     times as wide as the one before
   */
  record Range(double bottom, double top, List<Core> cores) {}

  /** A range of losses. */
  record Core(double from, double to) {}

  private ConnectTheDots(PrivacyLoss loss, double spacing, Range range) {
    this.loss = loss;
    this.spacing = spacing;
    this.range = range;
    this.first = (long) Math.floor(range.bottom() / spacing);
    long cells = (long) Math.ceil(range.top() / spacing) - first + 1;
    this.masses = new double[Math.toIntExact(Math.max(1, cells) + 2)];
    // Moving points instead costs more than this, but where next to nothing is.
    double high = Math.max(off(0), off(range.top()));
    this.shift = 2 * Math.max(high, off(range.cores().get(0).from()));
  }

  /** What is below {@code bottom} is taken up to it, what is above {@code top} to infinity. */
  static LossMeasure of(PrivacyLoss loss, double spacing, Range range) {
    ConnectTheDots dots = new ConnectTheDots(loss, spacing, range);
    dots.fill();
    return new LossMeasure(spacing, dots.first, dots.masses, dots.infinite, dots.shift);
  }

  private void fill() {
    int cells = masses.length - 2;
    Split low = loss.at(first * spacing);
    put(0, off(low, first * spacing), low.pBelow() * (1 + TAILS * low.relative()));
    boolean isUpperP = false;
    boolean isUpperQ = false;
    double worst = 0;
    double least = Double.POSITIVE_INFINITY;
    double offP = 0;
    double offQ = 0;
    double turnP = 0;
    double turnQ = 0;
    int i = 0;
    while (i < cells) {
      double place = (first + i) * spacing;
      int stride = Math.min(cells - i, stride(place));
      double end = (first + i + stride) * spacing;
      Split high = loss.at(end);
      isUpperP |= low.pAbove() <= high.pBelow();
      isUpperQ |= low.qAbove() <= high.qBelow();
      // What a sum from here on is off by at its own end, and where it turns to upper tails.
      if (!isUpperP) {
        offP = Math.max(offP, low.pBelow() * low.relative());
        turnP = high.relative();
      }
      if (!isUpperQ) {
        offQ = Math.max(offQ, low.qBelow() * low.relative());
        turnQ = high.relative();
      }
      double rounding = TAILS * Math.max(low.relative(), high.relative());
      // From the lower of the medians on it may only grow.
      rounding = Math.max(worst, rounding);
      worst = isUpperP || isUpperQ ? rounding : 0;
      double p = isUpperP ? low.pAbove() - high.pAbove() : high.pBelow() - low.pBelow();
      double q = isUpperQ ? normal(low.qAbove()) - normal(high.qAbove()) : 0;
      q = isUpperQ ? q : high.qBelow() - low.qBelow();
      least = p > 0 || q > 0 ? Math.min(least, rounding) : least;
      if (p != 0 || q != 0) {
        double off = Math.max(off(low, place), off(high, end));
        double own = Doubles.ULP * (8 + 4 * Math.abs(place));
        cell(i, stride, p * (1 + rounding + own), q * (1 - rounding), off, own);
      }
      i += stride;
      low = high;
    }
    infinite += loss.infinite() + low.pAbove() * (1 + Math.max(worst, TAILS * low.relative()));
    // Nothing is known of the last digits of smaller tails.
    infinite += low.relative() > 0 ? Double.MIN_NORMAL : 0;
    // What is below the medians needs this much room; only a loss of few large steps has less.
    infinite += Math.max(0, offP + turnP - least / 2) + 2 * Math.max(0, offQ + turnQ - least / 2);
  }

  /** The masses of a cell, on points that are no lower than its ends. */
  private void cell(int i, int stride, double p, double q, double off, double own) {
    double place = (first + i) * spacing;
    double odds = Math.exp(place) * (1 - off);
    if (!(odds < Double.MAX_VALUE)) {
      put(i + stride, off, Math.max(0, p));
      return;
    }
    double width = stride * spacing + 2 * off;
    double excess = p - odds * q + own * (Math.abs(p) + odds * Math.abs(q));
    double up = Math.max(0, excess / -Math.expm1(-width));
    if (up <= p && 4 * off < width) {
      put(i, 0, p - up);
      put(i + stride, off, up);
    } else if (p <= 0) {
      put(i + stride, off, up);
    } else if (up <= p) {
      put(i + stride, off, p);
    } else {
      beyond(i, stride, p, q, own);
    }
  }

  /**
   * With rounding nothing is left at the cell's lower end: all is put at its upper end, or beyond
   * it where the masses say so.
   */
  private void beyond(int i, int stride, double p, double q, double own) {
    double ratio = Math.log(p) - Math.log(q) - (first + i) * spacing + 4 * own;
    double rise = Math.max(ratio, stride * spacing);
    double points = Math.floor(rise / spacing);
    if (!(q > 0 && points < masses.length)) {
      infinite += p;
      return;
    }
    double rest = Math.max(0, rise - points * spacing);
    double up = Math.min(p, p * Math.expm1(-rest) / Math.expm1(-spacing));
    put(i + (int) points, 0, p - up);
    put(i + (int) points + 1, 0, up);
  }

  /** At a point, or at a higher one if the losses may be off by more than all are raised by. */
  private void put(int point, double off, double mass) {
    double at = off <= shift ? point : point + Math.ceil((off - shift) / spacing);
    if (at < masses.length) {
      masses[(int) at] += mass;
    } else {
      infinite += mass;
    }
  }

  private double off(double place) {
    return off(loss.at(place), place);
  }

  /** How far from this place a split may be, whose own product was rounded. */
  private static double off(Split split, double place) {
    return split.shift() + Doubles.ULP * Math.abs(place);
  }

  private static double normal(double tail) {
    return tail < Double.MIN_NORMAL ? 0 : tail;
  }

  private int stride(double place) {
    int stride = 1;
    for (Core core : range.cores()) {
      int next = stride * STRIDE;
      if (place + next * spacing >= core.from() && place <= core.to()) {
        return stride;
      }
      stride = next;
    }
    return stride;
  }
}
