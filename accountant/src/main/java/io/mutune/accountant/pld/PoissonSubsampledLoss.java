package io.mutune.accountant.pld;

/**
 * The direction in which a row is removed of a mechanism that sees each row with probability q: (1
 * − q)·Q + q·P against Q, where (P, Q) is the pair of the mechanism without sampling (Zhu, Dong and
 * Wang 2022, Proposition 30). Its loss is ln(1 − q + q·e^ℓ) at a loss ℓ of that pair; adding a row
 * is {@link #reversed}.
 *
 * @param base has no infinite losses
 * @param q above 0 and below 1
 */
record PoissonSubsampledLoss(PrivacyLoss base, double q) implements PrivacyLoss {
  /**
   * Between these e^−ℓ follows from e^ℓ − 1 to a few roundings, for what is but an error's size.
   */
  private static final double LEAST_USUAL = -1;

  private static final double GREATEST_USUAL = 700;

  @Override
  public Split at(double loss) {
    double rise = Math.expm1(loss);
    double lifted = rise / q;
    boolean isUsual = loss > LEAST_USUAL && loss < GREATEST_USUAL;
    double falling = isUsual ? 1 / (1 + rise) : Math.exp(-loss);
    double inverse = 2 * Doubles.ULP * Math.abs(isUsual ? rise * falling : Math.expm1(-loss));
    if (lifted <= -1) {
      // Nothing is below ln(1 − q), which is here but for rounding, or above.
      double shift = lifted > -1 - 8 * Doubles.ULP ? inverse + Doubles.ULP * Math.abs(loss) : 0;
      return new Split(0, 1, 0, 1, 0, shift);
    }
    double inner = lifted < Double.MAX_VALUE ? Math.log1p(lifted) : unsampled(loss);
    Split s = base.at(inner);
    // Of an error of the inner loss this share arrives: q·e^ℓ/(1 − q + q·e^ℓ).
    double share = Math.max(0, Math.min(1, 1 - (1 - q) * falling + 8 * Doubles.ULP));
    return new Split(
        (1 - q) * s.qBelow() + q * s.pBelow(),
        (1 - q) * s.qAbove() + q * s.pAbove(),
        s.qBelow(),
        s.qAbove(),
        s.relative() + 2 * Doubles.ULP,
        inverse
            + Doubles.ULP * Math.abs(loss)
            + share * (s.shift() + 3 * Doubles.ULP * Math.abs(inner)));
  }

  /** The loss of the base at a large loss: ln((e^ℓ − 1 + q)/q). */
  private double unsampled(double loss) {
    return loss + Math.log1p(-(1 - q) * Math.exp(-loss)) - Math.log(q);
  }

  /** At least the loss at a loss ℓ ≥ 0 of the base, and off by no more than a few roundings. */
  double sampledAbove(double inner) {
    double rise = q * Math.expm1(inner);
    if (rise < Double.MAX_VALUE) {
      return Math.log1p(rise) * (1 + 8 * Doubles.ULP);
    }
    double large = inner + Math.log(q);
    return (large + Math.exp(-large)) * (1 + 4 * Doubles.ULP) + 4 * Doubles.ULP * inner;
  }

  /** At most that. */
  double sampledBelow(double inner) {
    double rise = q * Math.expm1(inner);
    return rise < Double.MAX_VALUE
        ? Math.log1p(rise) * (1 - 8 * Doubles.ULP)
        : Math.max(0, (inner + Math.log(q)) * (1 - 4 * Doubles.ULP) - 4 * Doubles.ULP * inner);
  }

  @Override
  public double[] landmarks() {
    double[] inner = base.landmarks();
    double[] losses = new double[inner.length];
    for (int i = 0; i < losses.length; i++) {
      double rise = q * Math.expm1(inner[i]);
      losses[i] = rise < Double.MAX_VALUE ? Math.log1p(rise) : inner[i] + Math.log(q);
    }
    return losses;
  }

  @Override
  public double largest() {
    return sampledAbove(base.largest());
  }

  @Override
  public double smallest() {
    double rise = q * Math.expm1(base.smallest());
    return rise > -0.5
        ? Math.log1p(rise) * (1 + 8 * Doubles.ULP)
        : Math.log((1 - q) + q * Math.exp(base.smallest())) * (1 + 2 * Doubles.ULP)
            - 6 * Doubles.ULP;
  }

  @Override
  public PrivacyLoss reversed() {
    return new Reversed(this);
  }
}
