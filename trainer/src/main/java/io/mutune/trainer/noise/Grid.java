package io.mutune.trainer.noise;

import io.mutune.accountant.Adjacency;

/**
 * The whole multiples of a power of two g, to which a sum is rounded before its noise and the noise
 * itself: then every value that can be released is one of them whatever the rows, and the last bits
 * of a double tell nothing (Mironov, <i>On significance of the least significant bits for
 * differential privacy</i>, CCS 2012).
 *
 * <p><b>What rounding costs.</b> Let two neighbours' sums S and S′ of d coordinates be at most s·C
 * apart. Rounding moves each coordinate of each by at most g/2, so each sum by at most g√d/2, and
 * by the triangle inequality the rounded sums are at most s·C + g√d apart. {@link #sensitivity} is
 * that.
 *
 * <p><b>Why the noise may be rounded too.</b> With Z from N(0, σ²) exactly, the Gaussian mechanism
 * on rounded sums R releases R + Z, and rounding that to the grid is work on what was released. As
 * R lies on the grid, the result is R plus Z rounded, in law; and that is what {@link GridNoise}
 * draws. So a release is μ-GDP with μ = (s·C + g√d)/σ, exactly.
 *
 * @param exponent of g = 2^exponent, from −1000 to 0
 */
public record Grid(int exponent) {
  /**
   * 2^−30: with a clip norm of 1 and 40000 weights rounding adds 2e-7 to the sensitivity, and sums
   * of up to four million rows keep every bit.
   */
  public static final Grid USUAL = new Grid(-30);

  /** Beyond it a double is no longer sure to hold a multiple and its noise. */
  private static final double GREATEST = 0x1p52;

  private static final double MOST_STEPS = 0x1p55;

  /** Covers the rounding of the root, the product, the quotient and the sum. */
  private static final double UP = 1 + 0x1p-50;

  public Grid {
    if (exponent < -1000 || exponent > 0) {
      throw new IllegalArgumentException("a grid's exponent is from -1000 to 0; was " + exponent);
    }
  }

  /** g. */
  public double spacing() {
    return Math.scalb(1.0, exponent);
  }

  /**
   * The L2 sensitivity of a rounded sum in units of C, rounded up: s + g√d/C.
   *
   * @param clipNorm C
   * @param coordinates d, the number of values of a sum
   */
  public double sensitivity(Adjacency adjacency, double clipNorm, long coordinates) {
    return (adjacency.sumSensitivity() + moved(clipNorm, coordinates)) * UP;
  }

  /**
   * The same where only a Poisson sample of the rows is summed, as {@link
   * io.mutune.accountant.mechanism.SubsampledGaussian} has its sensitivity: s·(1 + g√d/C), rounded
   * up.
   *
   * <p>Take the same coins on both sides. Where the row in question is not drawn both sums are the
   * same, and so are they rounded. Where it is, it moves the sum by at most C, and the rounded sum
   * by at most C + g√d. The sampled Gaussian of that shift is the pair to charge: a shift along any
   * shorter way is dominated by it. If a row is replaced, each of the two rows moves the sum of the
   * others so, in opposite directions at worst, and each has its own roundings: 2(C + g√d).
   */
  public double sampledSensitivity(Adjacency adjacency, double clipNorm, long coordinates) {
    return adjacency.sumSensitivity() * (1 + moved(clipNorm, coordinates)) * UP;
  }

  /** g√d/C. */
  private double moved(double clipNorm, long coordinates) {
    if (!(clipNorm > 0) || coordinates < 1) {
      throw new IllegalArgumentException(
          "no sum has clip norm %s and %d coordinates".formatted(clipNorm, coordinates));
    }
    return spacing() * Math.sqrt((double) coordinates) / clipNorm;
  }

  /**
   * Whether noise of this deviation can be drawn on the grid: beyond 2^55 steps a draw might leave
   * a long.
   */
  public boolean suits(double deviation) {
    return Math.scalb(deviation, -exponent) <= MOST_STEPS;
  }

  /** Whether sums of this size keep their value: what is beyond 2^52 steps is cut off there. */
  public boolean holds(double sum) {
    return Math.scalb(sum, -exponent) <= GREATEST;
  }

  /**
   * The nearest multiple, as its number. Held within ±2^52, which brings no two sums further apart;
   * what is no number counts as 0.
   */
  long index(double value) {
    return (long) Math.max(-GREATEST, Math.min(GREATEST, Math.rint(Math.scalb(value, -exponent))));
  }

  /**
   * The multiple of that number; exact up to 2^53, and beyond that a rounding of what is released.
   */
  double value(long index) {
    return Math.scalb((double) index, exponent);
  }
}
