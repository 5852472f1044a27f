package io.mutune.accountant.pld;

/**
 * Poisson sampling and Gaussian noise under replacement of a row: (1 − q)·N(0, σ²) + q·N(1, σ²)
 * against (1 − q)·N(0, σ²) + q·N(−1, σ²), the row's vector and its opposite. Symmetric by
 * reflection about 0.
 *
 * <p>The loss at x is odd and increasing; ℓ is at x/σ² = ℓ/2 + arsinh((1 − q)/q · e^(1/2σ²) ·
 * sinh(ℓ/2)).
 *
 * @param sigma finite and above 0
 * @param q above 0 and below 1
 */
record ReplaceOneLoss(double sigma, double q) implements PrivacyLoss {
  private static final double STEP = 0.125;

  @Override
  public Split at(double loss) {
    double z = sigma * (loss / 2 + root(Math.abs(loss) / 2) * Math.signum(loss));
    double mu = 1 / sigma;
    double far = Math.abs(z) + mu;
    double middle = NormalTail.beyond(z);
    double low = NormalTail.beyond(z - mu);
    double high = NormalTail.beyond(z + mu);
    double above = (1 - q) * NormalTail.above(z, middle);
    double below = (1 - q) * NormalTail.below(z, middle);
    return new Split(
        below + q * NormalTail.below(z - mu, low),
        above + q * NormalTail.above(z - mu, low),
        below + q * NormalTail.below(z + mu, high),
        above + q * NormalTail.above(z + mu, high),
        NormalTail.relativeErrorWithin(far) + 3 * Doubles.ULP,
        shift(loss, z * mu));
  }

  /**
   * x/σ² is off by a relative error of a few roundings, and of e^(1/2σ²) where that is a factor; ℓ
   * rises with it by e^t/(c + e^t) + e^−t/(c + e^−t) ≤ 2.
   */
  private double shift(double loss, double t) {
    double exponent = 1 / (2 * sigma * sigma);
    return 2 * Doubles.ULP * ((16 + 2 * exponent) * Math.abs(t) + Math.abs(loss));
  }

  /** arsinh((1 − q)/q · e^(1/2σ²) · sinh(x)) for x ≥ 0, also where a factor overflows. */
  private double root(double x) {
    double exponent = 1 / (2 * sigma * sigma);
    double odds = (1 - q) / q; // infinite at a subnormal rate
    double log = (odds < Double.POSITIVE_INFINITY ? Math.log(odds) : -Math.log(q)) + exponent;
    if (log + x > 600) {
      // arsinh(v) = ln 2v and sinh(x) = e^x·(1 − e^(−2x))/2, where v is beyond all doubles.
      double large = log + x + Math.log(-Math.expm1(-2 * x));
      return large > 30 ? large : Math.max(0, arsinh(Math.exp(large) / 2));
    }
    return arsinh(odds * Math.exp(exponent) * Math.sinh(x));
  }

  private static double arsinh(double v) {
    // v² alone overflows long before the root does.
    return Math.log1p(v + v * (v / (1 + Math.hypot(1, v))));
  }

  @Override
  public double[] landmarks() {
    double mu = 1 / sigma;
    int side = (int) (Math.min(NormalTail.FARTHEST + mu, 10_000) / STEP);
    double[] losses = new double[2 * side + 1];
    for (int i = 0; i <= side; i++) {
      double loss = loss(i * STEP);
      losses[side + i] = loss;
      losses[side - i] = -loss;
    }
    return losses;
  }

  private double loss(double z) {
    double mu = 1 / sigma;
    double up = mu * z - mu * mu / 2;
    double rise = q * Math.expm1(up);
    double over = rise < Double.MAX_VALUE ? Math.log1p(rise) : up + Math.log(q);
    return over - Math.log1p(q * Math.expm1(-mu * z - mu * mu / 2));
  }

  @Override
  public PrivacyLoss reversed() {
    return this;
  }
}
