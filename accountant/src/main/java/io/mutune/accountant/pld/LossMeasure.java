package io.mutune.accountant.pld;

/**
 * Finitely many losses (first + i)·h with their masses under P, and the mass of an infinite one. It
 * stands for a {@link PrivacyLoss} from above or from below.
 */
final class LossMeasure {
  private final double spacing;
  private final int first;
  private final double[] masses;
  private final double infinite;

  LossMeasure(double spacing, int first, double[] masses, double infinite) {
    this.spacing = spacing;
    this.first = first;
    this.masses = masses;
    this.infinite = infinite;
  }

  double spacing() {
    return spacing;
  }

  int first() {
    return first;
  }

  double[] masses() {
    return masses;
  }

  double infinite() {
    return infinite;
  }

  int last() {
    return first + masses.length - 1;
  }

  /** ln Σ mass·e^(λ·loss) over the finite losses. */
  double logMoment(double lambda) {
    double top = lambda >= 0 ? last() * spacing : first * spacing;
    double sum = 0;
    for (int i = 0; i < masses.length; i++) {
      if (masses[i] > 0) {
        sum += masses[i] * Math.exp(lambda * ((first + i) * spacing - top));
      }
    }
    return Math.log(sum) + lambda * top;
  }
}
