package io.mutune.accountant.pld;

import java.util.Arrays;

/**
 * An upper bound on the profile of the best of K runs, in one direction of the neighbours: h(t) ≤
 * E[V(t·r)] for t ≥ 1, with the ratio r of the neighbours' densities at a run's output ({@code
 * docs/privacy-loss-distributions.md}). V is convex and falls; through the places ρ of a lattice it
 * is at most a sum Σ w·(1 − r/ρ)₊, whose mean is Σ w·h(t/ρ) with the run's own h.
 */
final class SelectionBound {
  /** What V may be above its first chord, as a share of V(0), where its places begin. */
  private static final double STRAIGHT = 1e-7;

  /** More than all sums here round by, as a share of V(0). */
  private static final double ROUNDING = 1e-13;

  private static final double SUM_ROUNDING = 0x1p-36;

  /** Of the scale of sums and of what they may come to, so that no term is subnormal. */
  private static final int SCALE_EXPONENT = 600;

  private static final int MOST_EXPONENT = 900;

  private SelectionBound() {}

  /** At least h(t) at e^(k·spacing), up to 2^−39 of it above that, for k = 0, 1, … */
  static double[] deltas(ProfileTable run, CountDensity density) {
    SelectionLines lines = SelectionLines.of(density, run.reversed());
    double spacing = run.spacing();
    // V is 0 from the place before the last on.
    int last = (int) Math.ceil(Math.log(lines.largest()) / spacing) + 2;
    double whole = lines.at(0);
    double[] upwards = new double[last + run.last() + 1];
    int places = 0;
    for (int k = last; k >= -run.last(); k--) {
      double rho = Math.exp(k * spacing);
      double height = lines.at(rho);
      upwards[places++] = k == last ? 0 : height + ROUNDING * whole;
      if (height <= whole * (1 - rho + STRAIGHT)) {
        break;
      }
    }
    int first = last - places + 1;
    double[] weights = new double[places];
    double before = -(whole * (1 + ROUNDING) - upwards[places - 1]) / Math.exp(first * spacing);
    for (int i = 0; i < places; i++) {
      double rho = Math.exp((first + i) * spacing);
      double after =
          i + 1 < places
              ? (upwards[places - 2 - i] - upwards[places - 1 - i])
                  / (Math.exp((first + i + 1) * spacing) - rho)
              : 0;
      weights[i] = Math.max(0, after - before) * rho;
      before = after;
    }
    return sums(run, weights, first, last);
  }

  private static double[] sums(ProfileTable run, double[] weights, int first, int last) {
    double[] table = new double[run.last() + last + weights.length + 1];
    int low = -last;
    Arrays.setAll(table, i -> run.at(low + i));
    double[] deltas = new double[run.last() + last + 1];
    // By a power of two nothing is rounded, and processors are slow with subnormal products.
    double most = Arrays.stream(weights).max().orElse(0);
    double scale =
        Math.scalb(1.0, Math.min(SCALE_EXPONENT, MOST_EXPONENT - Math.getExponent(most)));
    int top = weights.length - 1;
    while (top >= 0 && weights[top] == 0) {
      top--;
    }
    // Weight by weight: each sum has its terms in the same order, and Java computes many at once.
    for (int i = 0; i < weights.length; i++) {
      add(deltas, scale * weights[i], table, -first - i - low);
    }
    for (int k = 0; k < deltas.length; k++) {
      boolean isNone = top < 0 || table[k - first - top - low] == 0;
      double sum = isNone ? 0 : Math.max(Double.MIN_NORMAL, deltas[k] / scale);
      double above = sum * (1 + SUM_ROUNDING);
      deltas[k] = above <= 1 ? above : 1; // no number where weights leave the range of doubles
      deltas[k] = k > 0 ? Math.min(deltas[k], deltas[k - 1]) : deltas[k];
    }
    return deltas;
  }

  private static void add(double[] sums, double weight, double[] table, int from) {
    for (int k = 0; k < sums.length; k++) {
      sums[k] += weight * table[from + k];
    }
  }
}
