package io.mutune.accountant.pld;

/**
 * The pessimistic discretisation of Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022 ("Connect
 * the Dots"): in every cell of the grid, the masses of P and of Q are both kept and moved to the
 * cell's ends. Its δ(ε) is that of the pair at every point of the grid and the chord, in e^ε,
 * between them: no other measure on the grid is at least the pair's and smaller.
 *
 * <p>Every rounding error moves mass to the upper end or adds some.
 */
final class ConnectTheDots {
  private static final double ULP = 0x1p-52;

  /** Cells are so many times as wide where it makes no difference. */
  private static final int STRIDE = 8;

  /**
   * Where the losses are.
   *
   * @param bottom where smaller losses are taken up to
   * @param from where cells of the grid's own width begin
   * @param to where they end
   * @param top above which losses are taken to be infinite
   */
  record Range(double bottom, double from, double to, double top) {}

  private ConnectTheDots() {}

  /** What is below {@code bottom} is taken up to it, what is above {@code top} to infinity. */
  static LossMeasure of(PrivacyLoss loss, double spacing, Range range) {
    double bottom = range.bottom();
    double top = range.top();
    int first = (int) Math.floor(bottom / spacing);
    int cells = Math.max(1, (int) Math.ceil(top / spacing) - first);
    double[] masses = new double[cells + 2];
    Split low = loss.at(first * spacing);
    masses[0] = low.pBelow() * (1 + low.relative());
    int i = 0;
    while (i < cells) {
      double place = (first + i) * spacing;
      boolean outside = place + STRIDE * spacing < range.from() || place > range.to();
      int stride = outside ? Math.min(cells - i, STRIDE) : 1;
      double rest = -Math.expm1(-stride * spacing);
      Split high = loss.at((first + i + stride) * spacing);
      double relative = Math.max(low.relative(), high.relative()) + ULP;
      double p = mass(low.pBelow(), low.pAbove(), high.pBelow(), high.pAbove());
      double pError = relative * tails(low.pBelow(), low.pAbove(), high.pBelow(), high.pAbove());
      double most = Math.max(0, p) + pError;
      if (most > 0) {
        double q = mass(low.qBelow(), low.qAbove(), high.qBelow(), high.qAbove());
        double qError = relative * tails(low.qBelow(), low.qAbove(), high.qBelow(), high.qAbove());
        double odds = Math.exp(place);
        double shift = Math.max(low.shift(), high.shift());
        double error = pError + odds * qError + most * (shift + 4 * ULP);
        double up = odds < Double.MAX_VALUE ? (p - odds * q + error) / rest : most;
        up = Math.max(0, Math.min(most, up));
        // A loss beyond the cell's end by a rounding error is between the next two points.
        double beyond = Math.min(most, most * shift / -Math.expm1(-spacing));
        masses[i] += most - up;
        masses[i + stride] += up - Math.min(up, beyond);
        masses[i + stride + 1] += Math.min(up, beyond);
      }
      i += stride;
      low = high;
    }
    double infinite = loss.infinite() + low.pAbove() * (1 + low.relative());
    return new LossMeasure(spacing, first, masses, infinite);
  }

  /** The mass between two splits, from the tails on the side where they are smaller. */
  private static double mass(double lowBelow, double lowAbove, double highBelow, double highAbove) {
    return lowAbove <= highBelow ? lowAbove - highAbove : highBelow - lowBelow;
  }

  private static double tails(
      double lowBelow, double lowAbove, double highBelow, double highAbove) {
    return lowAbove <= highBelow ? lowAbove + highAbove : highBelow + lowBelow;
  }
}
