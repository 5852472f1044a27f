package io.mutune.trainer.noise;

import java.math.BigInteger;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Standard normals drawn exactly (Karney, <i>Sampling exactly from the normal distribution</i>, ACM
 * TOMS 42, 2016, Algorithms N, H and B): ±(k + x) with a whole k and a real x in (0, 1) whose bits
 * are drawn as they are needed. There is no floating-point arithmetic in it, so no tail is cut and
 * no last bit rounded.
 */
final class ExactNormal {
  private final UniformRandomProvider bits;

  ExactNormal(UniformRandomProvider bits) {
    this.bits = bits;
  }

  /**
   * A draw of N(0, r²) rounded to the nearest whole number: P(n) = Φ((n + ½)/r) − Φ((n − ½)/r),
   * exactly.
   *
   * @param r finite and above 0, and so small that nothing over 2^62 is drawn
   */
  long rounded(double r) {
    while (true) {
      int k = wholePart();
      LazyUniform x = new LazyUniform(bits);
      if (isAccepted(k, x)) {
        long magnitude = roundedProduct(k, x, r);
        return bits.nextBoolean() ? magnitude : -magnitude;
      }
    }
  }

  /** Steps N1 and N2: k with a probability proportional to exp(−k²/2). */
  private int wholePart() {
    while (true) {
      int k = 0;
      while (halfExponential()) {
        k++;
      }
      if (allHalfExponentials((long) k * (k - 1))) {
        return k;
      }
    }
  }

  private boolean allHalfExponentials(long count) {
    for (long i = 0; i < count; i++) {
      if (!halfExponential()) {
        return false;
      }
    }
    return true;
  }

  /** Algorithm H: true with probability exp(−½). */
  private boolean halfExponential() {
    LazyUniform last = new LazyUniform(bits);
    if (!last.isBelowOneHalf()) {
      return true;
    }
    for (boolean even = false; ; even = !even) {
      LazyUniform next = new LazyUniform(bits);
      if (!next.isBelow(last)) {
        return even;
      }
      last = next;
    }
  }

  /** Step N4: true with probability exp(−x(2k + x)/2), as k + 1 times Algorithm B. */
  private boolean isAccepted(int k, LazyUniform x) {
    for (int i = 0; i <= k; i++) {
      if (!isPartAccepted(k, x)) {
        return false;
      }
    }
    return true;
  }

  /** Algorithm B: true with probability exp(−x(2k + x)/(2k + 2)). */
  private boolean isPartAccepted(int k, LazyUniform x) {
    LazyUniform last = x;
    for (boolean even = true; ; even = !even) {
      LazyUniform next = new LazyUniform(bits);
      if (!next.isBelow(last)) {
        return even;
      }
      // Goes on with probability (2k + x)/(2k + 2).
      int choice = bits.nextInt(2 * k + 2);
      if (choice == 0 || (choice == 1 && !new LazyUniform(bits).isBelow(x))) {
        return even;
      }
      last = next;
    }
  }

  /** ⌊(k + x)·r + ½⌋, from as many bits of x as settle it. */
  private static long roundedProduct(int k, LazyUniform x, double r) {
    int exponent = Math.getExponent(r) - 52;
    BigInteger mantissa = BigInteger.valueOf((long) Math.scalb(r, -exponent));
    for (int words = 1; ; words++) {
      int fractionBits = Long.SIZE * words;
      BigInteger low =
          BigInteger.valueOf(k).shiftLeft(fractionBits).or(x.leading(words)).multiply(mantissa);
      BigInteger least = floorPlusHalf(low, fractionBits - exponent);
      BigInteger most = floorPlusHalf(low.add(mantissa), fractionBits - exponent);
      if (least.equals(most)) {
        return least.longValueExact();
      }
    }
  }

  /** ⌊value · 2^−shift + ½⌋. */
  private static BigInteger floorPlusHalf(BigInteger value, int shift) {
    return shift <= 0
        ? value.shiftLeft(-shift)
        : value.shiftRight(shift - 1).add(BigInteger.ONE).shiftRight(1);
  }
}
