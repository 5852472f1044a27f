package io.mutune.accountant.pld;

import java.util.List;

/**
 * The pessimistic discretisation of Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022 ("Connect
 * the Dots"): in every cell of the grid, the masses of P and of Q are both kept and moved to the
 * cell's ends. Its δ(ε) is that of the pair at every point of the grid and the chord, in e^ε,
 * between them: no other measure on the grid is at least the pair's and smaller.
 *
 * <p>Rounding is met by making P's masses larger and Q's smaller, so that δ(ε) at the points of the
 * grid is no less than it would be without: errors of the tails telescope over the cells, and are
 * not divided by the width of one.
 */
final class ConnectTheDots {
  private static final double ULP = 0x1p-52;

  /**
   * A sum of cells from anywhere upwards is a tail, or the whole less a tail on the other side. The
   * latter is at least a half, and is off by the errors of three masses of at most a half.
   */
  private static final int TAILS = 5;

  /** Roundings of a cell's masses and of e^loss that do not telescope. */
  private static final double OWN = 8 * ULP;

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

  /** Cells are so many times as wide beyond a core. */
  static final int STRIDE = 8;

  private ConnectTheDots() {}

  /** What is below {@code bottom} is taken up to it, what is above {@code top} to infinity. */
  static LossMeasure of(PrivacyLoss loss, double spacing, Range range) {
    double bottom = range.bottom();
    double top = range.top();
    long first = (long) Math.floor(bottom / spacing);
    int cells = Math.toIntExact(Math.max(1, (long) Math.ceil(top / spacing) - first));
    double[] masses = new double[cells + 2];
    Split low = loss.at(first * spacing);
    masses[0] = low.pBelow() * (1 + rounding(low));
    int i = 0;
    while (i < cells) {
      double place = (first + i) * spacing;
      int stride = Math.min(cells - i, stride(place, spacing, range));
      Split high = loss.at((first + i + stride) * spacing);
      double rounding = Math.max(rounding(low), rounding(high));
      double p =
          mass(low.pBelow(), low.pAbove(), high.pBelow(), high.pAbove()) * (1 + rounding + OWN);
      double q = mass(low.qBelow(), low.qAbove(), high.qBelow(), high.qAbove()) * (1 - rounding);
      double odds = Math.exp(place);
      if (odds < Double.MAX_VALUE) {
        double excess = p - odds * q + OWN * Math.max(0, p);
        double up = Math.max(0, excess / -Math.expm1(-stride * spacing));
        double over = (up - p) * Math.exp(spacing);
        if (over > 0 && over <= p) {
          // Rounding has put the losses beyond the cell's end: some are one point higher.
          masses[i + stride] += p - over;
          masses[i + stride + 1] += over;
        } else {
          masses[i] += Math.max(0, p - up);
          masses[i + stride] += up;
        }
      } else {
        masses[i + stride] += Math.max(0, p);
      }
      i += stride;
      low = high;
    }
    double infinite = loss.infinite() + low.pAbove() * (1 + rounding(low));
    return new LossMeasure(spacing, first, masses, infinite, 0);
  }

  private static int stride(double place, double spacing, Range range) {
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

  /**
   * A loss that is off by a shift s splits a sliver wrongly, in which |1 − e^(ε−L)| is at most e^s
   * − 1 and which has less mass than what is above it.
   */
  private static double rounding(Split split) {
    return TAILS * split.relative() + 1.01 * split.shift();
  }

  /** The mass between two splits, from the tails on the side where they are smaller. */
  private static double mass(double lowBelow, double lowAbove, double highBelow, double highAbove) {
    return lowAbove <= highBelow ? lowAbove - highAbove : highBelow - lowBelow;
  }
}
