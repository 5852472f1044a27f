package io.mutune.accountant.pld;

import org.jtransforms.fft.DoubleFFT_1D;
import pl.edu.icm.jlargearrays.ConcurrencyUtils;

/** The discrete Fourier transform of real vectors whose length is a power of two. */
final class RealTransform {
  static {
    // Its threads would outlive a command, and a library's callers choose their own.
    ConcurrencyUtils.setNumberOfThreads(1);
  }

  private final int size;
  private final DoubleFFT_1D transform;

  RealTransform(int size) {
    this.size = size;
    this.transform = new DoubleFFT_1D(size);
  }

  /**
   * In place: (re, im) of frequency k at 2k, with the highest one's re in place of the first im.
   */
  void forward(double[] vector) {
    transform.realForward(vector);
  }

  /** In place, scaled so that it undoes {@link #forward}. */
  void inverse(double[] spectrum) {
    transform.realInverse(spectrum, true);
  }

  /**
   * Bounds the relative error of either way in the Euclidean norm: log₂ n stages, each good for a
   * few units in the last place (Higham, Accuracy and Stability of Numerical Algorithms, Theorem
   * 24.2).
   */
  double relativeError() {
    return 4 * Doubles.ULP * (Integer.numberOfTrailingZeros(size) + 1);
  }

  /**
   * Bounds the error of any frequency of {@link #forward} for entries whose moduli sum to 1: a
   * stage's sum and twiddle are good to 2 ulp, and taking a real vector for a complex one of half
   * its length doubles what its transform is off by.
   */
  double absoluteError() {
    return 4 * Doubles.ULP * (Integer.numberOfTrailingZeros(size) + 1);
  }

  int size() {
    return size;
  }
}
