package io.mutune.accountant.pld;

/**
 * The Laplace mechanism with scale 1/ε₀ at sensitivity 1. Losses are in [−ε₀, ε₀] with an atom at
 * either end: P(L ≤ ℓ) = e^(−(ε₀−ℓ)/2)/2 between, and Q(L > ℓ) = P(L < −ℓ).
 *
 * @param epsilon ε₀, finite and above 0
 */
record LaplaceLoss(double epsilon) implements PrivacyLoss {
  private static final int STEPS = 200;

  @Override
  public Split at(double loss) {
    double rounding = Doubles.ULP * (4 + epsilon);
    if (loss < -epsilon) {
      return new Split(0, 1, 0, 1, rounding, 0);
    }
    if (loss >= epsilon) {
      return new Split(1, 0, 1, 0, rounding, 0);
    }
    double below = Math.exp((loss - epsilon) / 2) / 2;
    double above = Math.exp((-loss - epsilon) / 2) / 2;
    return new Split(below, 1 - below, 1 - above, above, rounding, 0);
  }

  @Override
  public double[] landmarks() {
    double[] losses = new double[2 * STEPS + 1];
    for (int i = 0; i < losses.length; i++) {
      losses[i] = epsilon * (i - STEPS) / STEPS;
    }
    return losses;
  }

  @Override
  public double largest() {
    return epsilon;
  }

  @Override
  public double smallest() {
    return -epsilon;
  }

  @Override
  public PrivacyLoss reversed() {
    return this;
  }
}
