package io.mutune.accountant.pld;

/**
 * Randomised response that tells the truth with odds e^ε₀, which dominates every pure ε₀-DP
 * mechanism (Kairouz, Oh and Viswanath 2015); with a probability δ₀ it tells all, and then
 * dominates every (ε₀, δ₀)-DP mechanism. Losses are −ε₀, ε₀ and ∞.
 *
 * @param epsilon ε₀, finite and above 0
 * @param delta δ₀, at least 0 and below 1
 */
record RandomisedResponseLoss(double epsilon, double delta) implements PrivacyLoss {
  @Override
  public Split at(double loss) {
    double finite = 1 - delta;
    double lie = finite / (1 + Math.exp(epsilon));
    double truth = finite / (1 + Math.exp(-epsilon));
    double rounding = (6 + epsilon) * Doubles.ULP;
    if (loss < -epsilon) {
      return new Split(0, finite, 0, finite, rounding, 0);
    }
    if (loss >= epsilon) {
      return new Split(finite, 0, finite, 0, rounding, 0);
    }
    return new Split(lie, truth, truth, lie, rounding, 0);
  }

  @Override
  public double[] landmarks() {
    return new double[] {-epsilon, epsilon};
  }

  @Override
  public double infinite() {
    return delta;
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

  @Override
  public double lattice() {
    return epsilon;
  }
}
