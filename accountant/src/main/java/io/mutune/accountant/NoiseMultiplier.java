package io.mutune.accountant;

/**
 * σ, the standard deviation of Gaussian noise in units of one row's greatest contribution (the clip
 * norm for a sum of clipped gradients, 1 for a count).
 *
 * @param value finite and above 0
 */
public record NoiseMultiplier(double value) {
  public NoiseMultiplier {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          "the noise multiplier sigma must be finite and above 0; was " + value);
    }
  }

  public static NoiseMultiplier of(double value) {
    return new NoiseMultiplier(value);
  }
}
