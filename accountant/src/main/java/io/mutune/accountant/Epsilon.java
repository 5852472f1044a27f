package io.mutune.accountant;

/**
 * The ε of (ε, δ)-differential privacy.
 *
 * @param value finite and at least 0
 */
public record Epsilon(double value) {
  public Epsilon {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("epsilon must be finite and at least 0; was " + value);
    }
  }

  public static Epsilon of(double value) {
    return new Epsilon(value);
  }
}
