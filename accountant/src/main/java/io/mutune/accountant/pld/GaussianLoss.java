package io.mutune.accountant.pld;

/**
 * N(μ, 1) against N(0, 1), whose loss at z is μz − μ²/2. Symmetric: reflection about μ/2 turns the
 * pair around.
 *
 * @param mu finite and above 0
 */
record GaussianLoss(double mu) implements PrivacyLoss {
  private static final double STEP = 0.125;

  @Override
  public Split at(double loss) {
    double z = loss / mu + mu / 2;
    double y = loss / mu - mu / 2;
    double far = Math.max(Math.abs(z), Math.abs(y));
    double p = NormalTail.beyond(y);
    double q = NormalTail.beyond(z);
    return new Split(
        NormalTail.below(y, p),
        NormalTail.above(y, p),
        NormalTail.below(z, q),
        NormalTail.above(z, q),
        // Both places are off by a rounding of loss/μ and one of the sum: neither is above far.
        NormalTail.relativeErrorWithin(far),
        0);
  }

  /** Around both means, and nothing between them where they are far apart. */
  @Override
  public double[] landmarks() {
    int side = (int) (NormalTail.FARTHEST / STEP);
    int gap = (int) Math.min(2 * side, Math.ceil(mu / STEP));
    double[] losses = new double[2 * side + gap + 1];
    for (int i = 0; i < losses.length; i++) {
      double z = i <= side + gap / 2 ? (i - side) * STEP : mu + (i - side - gap) * STEP;
      losses[i] = mu * z - mu * mu / 2;
    }
    return losses;
  }

  @Override
  public PrivacyLoss reversed() {
    return this;
  }
}
