package io.mutune.accountant.pld;

/**
 * Where the smallest ε of a δ is. Both are infinite where no ε is enough.
 *
 * @param lower at least 0
 * @param upper the guarantee, at least {@code lower}
 */
public record EpsilonInterval(double lower, double upper) {
  public EpsilonInterval {
    if (!(lower >= 0 && upper >= lower)) {
      throw new IllegalArgumentException(
          "an interval needs 0 <= lower <= upper; was [%s, %s]".formatted(lower, upper));
    }
  }
}
