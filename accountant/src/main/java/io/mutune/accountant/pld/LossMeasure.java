package io.mutune.accountant.pld;

/**
 * Finitely many losses (first + i)·h + shift with their masses under P, and the mass of an infinite
 * one. It stands for a {@link PrivacyLoss} from above or from below.
 *
 * @param spacing h
 * @param shift what every loss is above its point of the grid
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LossMeasure(double spacing, long first, double[] masses, double infinite, double shift) {
  /** Weights are computed afresh after so many products. */
  static final int RUN = 64;

  long last() {
    return first + masses.length - 1;
  }

  /** Σ mass over all losses. */
  double total() {
    return Math.exp(logMoment(0)) + infinite;
  }

  /**
   * ln Σ mass·e^(λ·loss) over the finite losses, less their shift; good to {@link
   * #roundingOfMoment} if exponentials are.
   */
  double logMoment(double lambda) {
    CompensatedSum all = new CompensatedSum();
    // From the end that weighs most, and afresh before products have lost many digits.
    boolean isDown = lambda >= 0;
    double[] shrunk = powers(Math.exp(-Math.abs(lambda) * spacing));
    for (int i = 0; i < masses.length; i += RUN) {
      double weight = Math.exp(-Math.abs(lambda) * i * spacing);
      all.add(weight * run(i, isDown, shrunk));
    }
    return Math.log(all.value()) + lambda * (isDown ? last() : first) * spacing;
  }

  private static double[] powers(double base) {
    double[] powers = new double[RUN];
    powers[0] = 1;
    for (int k = 1; k < RUN; k++) {
      powers[k] = powers[k - 1] * base;
    }
    return powers;
  }

  /**
   * Σ mass·weight over a run that begins so many masses from its end, in four sums side by side.
   */
  private double run(int start, boolean isDown, double[] weights) {
    int length = Math.min(RUN, masses.length - start);
    int at = isDown ? masses.length - 1 - start : start;
    int step = isDown ? -1 : 1;
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int k = 0;
    for (; k + 4 <= length; k += 4, at += 4 * step) {
      a += masses[at] * weights[k];
      b += masses[at + step] * weights[k + 1];
      c += masses[at + 2 * step] * weights[k + 2];
      d += masses[at + 3 * step] * weights[k + 3];
    }
    for (; k < length; k++, at += step) {
      a += masses[at] * weights[k];
    }
    return a + b + c + d;
  }

  /**
   * Bounds the error of a moment's logarithm, and of a mass under a tilt relative to its own: a run
   * of products and sums, exponents of at most the widest loss's, and a few roundings.
   */
  double roundingOfMoment(double lambda, double logMoment) {
    double range = Math.max(Math.abs(first), Math.abs(last())) * spacing;
    return Doubles.ULP * (3 * RUN + 5 * Math.abs(lambda) * range + Math.abs(logMoment) + 8);
  }

  /** A sum of terms of at least 0 that loses no more than two roundings (Kahan). */
  private static final class CompensatedSum {
    private double sum;
    private double lost;

    void add(double term) {
      double y = term - lost;
      double next = sum + y;
      lost = (next - sum) - y;
      sum = next;
    }

    double value() {
      return sum;
    }
  }
}
