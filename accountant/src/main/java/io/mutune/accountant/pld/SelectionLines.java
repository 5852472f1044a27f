package io.mutune.accountant.pld;

import java.util.Arrays;

/**
 * V(ρ) = max over u of φ′(1 − u) − ρ·φ′(1 − U(u)), from above, by finitely many lines: u is the
 * share of a run's outputs that are better than a given one, U(u) the largest share that this may
 * be on the neighbouring data set, and φ belongs to the number of runs ({@code
 * docs/privacy-loss-distributions.md}, from which the bound follows).
 *
 * <p>Between two values of u, φ′(1 − u) is below its chord, U below one of the lines that the run's
 * profile gives, and φ′(1 − U) above its tangent; so the difference is below a line in u, and at
 * most the larger of its two ends. Both ends are kept, each as a line in ρ.
 */
final class SelectionLines {
  /** How far apart the lines may be, as a share of u and as what φ′ falls by. */
  private static final double WIDER = 1.05;

  private static final double FALL = 0.004;

  /** So many falls are enough for any law. */
  private static final int MOST_FALLS = 2000;

  /** In units of the u at which φ′ begins to fall. */
  private static final double FIRST = 1e-9;

  /** A tangent is taken where it falls by no more than this share. */
  private static final double FLAT = 0.1;

  /** Above the relative rounding of φ′. */
  private static final double ROUNDING = 0x1p-40;

  private final double[] heights;
  private final double[] falls;
  private final int size;

  private SelectionLines(double[] heights, double[] falls, int size) {
    this.heights = heights;
    this.falls = falls;
    this.size = size;
  }

  /**
   * The lines for a run's profile.
   *
   * @param better of the run with the neighbours turned around: it bounds U
   * @throws ArithmeticException if a weight leaves the range of doubles
   */
  static SelectionLines of(CountDensity density, ProfileTable better) {
    double fall = Math.max(FALL, Math.log(density.at(0) / density.at(1)) / MOST_FALLS);
    double[] heights = new double[1024];
    double[] falls = new double[1024];
    int size = 0;
    int[] hull = better.hull();
    int k = hull.length - 1;
    double u = 0;
    while (u < 1) {
      if (!Double.isFinite(density.at(u) + density.slope(u))) {
        throw new ArithmeticException("the law of runs has weights beyond all doubles");
      }
      double step = fall * density.at(u) / density.slope(u);
      double v = u == 0 ? FIRST / fall * step : Math.min(u * WIDER, u + step);
      v = Math.min(1, Math.max(v, Math.nextUp(u)));
      double near = (u + v) / 2;
      while (k > 0 && share(better, hull[k - 1], near) <= share(better, hull[k], near)) {
        k--;
      }
      double low = share(better, hull[k], u);
      double high = share(better, hull[k], v);
      if (high >= 1) {
        low = 1;
        high = 1;
      }
      double middle = low + (high - low) / 2;
      double half = density.slope(middle) * (high - low) / 2;
      boolean isFlat = half <= FLAT * density.at(middle);
      double at = isFlat ? density.at(middle) : density.at(high);
      if (size + 2 > heights.length) {
        heights = Arrays.copyOf(heights, 2 * size);
        falls = Arrays.copyOf(falls, 2 * size);
      }
      heights[size] = density.at(u) * (1 + ROUNDING);
      falls[size++] = (at + (isFlat ? half : 0)) * (1 - ROUNDING);
      heights[size] = density.at(v) * (1 + ROUNDING);
      falls[size++] = (at - (isFlat ? half : 0)) * (1 - ROUNDING);
      u = v;
    }
    return new SelectionLines(heights, falls, size);
  }

  /** At least U(u): no event has more than s·P + h(s) on the neighbour, for any s. */
  private static double share(ProfileTable better, int k, double u) {
    return (better.at(k) + u * Math.exp(k * better.spacing())) * (1 + ROUNDING / 16);
  }

  /** At least V(ρ), and at least 0. */
  double at(double rho) {
    double most = 0;
    for (int i = 0; i < size; i++) {
      most = Math.max(most, heights[i] - rho * falls[i]);
    }
    return most;
  }

  /** The largest ρ at which V is above 0. */
  double largest() {
    double most = 1;
    for (int i = 0; i < size; i++) {
      if (!(falls[i] >= Double.MIN_NORMAL)) {
        throw new ArithmeticException("the law of runs has weights below all doubles");
      }
      most = Math.max(most, heights[i] / falls[i]);
    }
    return most;
  }
}
