package io.mutune.accountant.renyi;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.mechanism.LogMixture;

/**
 * What an (ε, δ)-DP mechanism costs on a secret random sample of the rows, each in it with
 * probability q (Balle, Barthe and Gaboardi 2018). Rounded up.
 */
public final class Amplification {
  private Amplification() {}

  /** ln(1 + q(e^ε − 1)), at δ·q. */
  public static Epsilon epsilon(Epsilon epsilon, double rate) {
    if (!(rate > 0 && rate <= 1)) {
      throw new IllegalArgumentException(
          "the sampling rate must be above 0 and at most 1; was " + rate);
    }
    double e = epsilon.value();
    return Epsilon.of(rate == 1 ? e : Math.min(e, Rounding.upAboveZero(LogMixture.of(rate, e))));
  }
}
