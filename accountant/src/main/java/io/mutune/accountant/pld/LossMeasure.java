package io.mutune.accountant.pld;

/**
 * Finitely many losses (first + i)·h + shift with their masses under P, and the mass of an infinite
 * one. It stands for a {@link PrivacyLoss} from above or from below.
 */
final class LossMeasure {
  /** Weights are computed afresh after so many products. */
  static final int RUN = 64;

  private static final double ULP = 0x1p-52;

  private final double spacing;
  private final long first;
  private final double[] masses;
  private final double infinite;
  private final double shift;

  LossMeasure(double spacing, long first, double[] masses, double infinite, double shift) {
    this.spacing = spacing;
    this.first = first;
    this.masses = masses;
    this.infinite = infinite;
    this.shift = shift;
  }

  double spacing() {
    return spacing;
  }

  long first() {
    return first;
  }

  double[] masses() {
    return masses;
  }

  double infinite() {
    return infinite;
  }

  /** What every loss is above its point of the grid. */
  double shift() {
    return shift;
  }

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
    double sum = 0;
    double weight = 1;
    // From the end that weighs most, and afresh before products have lost many digits.
    boolean isDown = lambda >= 0;
    double shrink = Math.exp(-Math.abs(lambda) * spacing);
    for (int i = 0; i < masses.length; i++) {
      if (i % RUN == 0) {
        all.add(sum);
        sum = 0;
        weight = Math.exp(-Math.abs(lambda) * i * spacing);
      } else {
        weight *= shrink;
      }
      sum += masses[isDown ? masses.length - 1 - i : i] * weight;
    }
    all.add(sum);
    return Math.log(all.value()) + lambda * (isDown ? last() : first) * spacing;
  }

  /**
   * Bounds the error of a moment's logarithm, and of a mass under a tilt relative to its own: a run
   * of products and sums, exponents of at most the widest loss's, and a few roundings.
   */
  double roundingOfMoment(double lambda, double logMoment) {
    double range = Math.max(Math.abs(first), Math.abs(last())) * spacing;
    return ULP * (3 * RUN + 5 * Math.abs(lambda) * range + Math.abs(logMoment) + 8);
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
