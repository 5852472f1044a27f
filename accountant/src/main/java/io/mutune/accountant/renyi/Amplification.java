package io.mutune.accountant.renyi;

import io.mutune.accountant.Epsilon;

/**
 * What an (ε, δ)-DP mechanism costs on a secret random sample of the rows, each in it with
 * probability q (Balle, Barthe and Gaboardi 2018). Rounded up.
 */
public final class Amplification {
  private static final double OVERFLOWING = 700;

  private Amplification() {}

  /** ln(1 + q(e^ε − 1)), at δ·q. */
  public static Epsilon epsilon(Epsilon epsilon, double rate) {
    if (!(rate > 0 && rate <= 1)) {
      throw new IllegalArgumentException(
          "the sampling rate must be above 0 and at most 1; was " + rate);
    }
    double e = epsilon.value();
    double sampled =
        e < OVERFLOWING
            ? Math.log1p(rate * Math.expm1(e))
            : e + Math.log(rate + (1 - rate) * Math.exp(-e));
    return Epsilon.of(rate == 1 ? e : Math.min(e, Rounding.up(sampled)));
  }
}
