package io.mutune.accountant.pld;

/**
 * Finitely many losses (first + i)·h + shift with their masses under P, and the mass of an infinite
 * one. It stands for a {@link PrivacyLoss} from above or from below.
 */
final class LossMeasure {
  private static final int RUN = 64;

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

  /** ln Σ mass·e^(λ·loss) over the finite losses, less their shift. */
  double logMoment(double lambda) {
    double sum = 0;
    double weight = 1;
    // From the end that weighs most, and afresh before products have lost many digits.
    boolean isDown = lambda >= 0;
    double shrink = Math.exp(-Math.abs(lambda) * spacing);
    for (int i = 0; i < masses.length; i++) {
      weight = i % RUN == 0 ? Math.exp(-Math.abs(lambda) * i * spacing) : weight * shrink;
      sum += masses[isDown ? masses.length - 1 - i : i] * weight;
    }
    return Math.log(sum) + lambda * (isDown ? last() : first) * spacing;
  }
}
