package io.mutune.accountant;

/**
 * The parameter of Gaussian differential privacy: telling two neighbouring data sets apart is at
 * least as hard as telling N(0, 1) from N(μ, 1) (Dong, Roth and Su 2022).
 *
 * @param value finite and at least 0
 */
public record Mu(double value) {
  public static final Mu ZERO = new Mu(0);

  public Mu {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("mu must be finite and at least 0; was " + value);
    }
  }

  public static Mu of(double value) {
    return new Mu(value);
  }
}
