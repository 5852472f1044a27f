package io.mutune.accountant.pld;

/**
 * What masses of a tilted sum mean: one of m at a loss ℓ stands for m·e^(logScale − λℓ).
 *
 * @param window where the sum is
 * @param shift what the sum is above the points of the window's grid
 * @param shiftError bounds the rounding of that
 * @param logScale Σ count·ln M over what is composed
 * @param relative bounds the error of logScale, and of every mass as a logarithm
 * @param mostInfinite bounds the mass of infinite losses
 * @param leastInfinite the same from below
 * @param above bounds the mass of finite losses above the window
 * @param wrapped bounds the sum of masses in the window that belong above or below it
 */
record Scale(
    Window window,
    double shift,
    double shiftError,
    double logScale,
    double relative,
    double mostInfinite,
    double leastInfinite,
    double above,
    double wrapped) {
  /** Above what a mass may be that was too small to be held. */
  private static final double UNDERFLOWN = 1e-300;

  /** At least the loss at this place of the grid. */
  double lossAbove(double place) {
    return place + shift + rounding(place);
  }

  /** At most that. */
  double lossBelow(double place) {
    return place + shift - rounding(place);
  }

  /** A place of the grid whose loss is at most this. */
  double onGridBelow(double loss) {
    return loss - shift - rounding(loss);
  }

  private double rounding(double place) {
    return 4 * Doubles.ULP * (Math.abs(place) + Math.abs(shift)) + shiftError;
  }

  /** A place of the grid whose loss is at least this. */
  double onGridAbove(double loss) {
    return loss - shift + rounding(loss);
  }

  /** At least δ, of at most so many units of the scale at a loss. */
  double deltaAbove(double loss, double scaled) {
    double log = logScale - window.tilt() * loss;
    double finite =
        Math.exp(log + relative + 4 * Doubles.ULP * Math.abs(log)) * Math.max(UNDERFLOWN, scaled);
    // The last is for exponentials below all doubles.
    return atMostOne((finite + mostInfinite + above) * (1 + 4 * Doubles.ULP) + Double.MIN_NORMAL);
  }

  /** Also where a bound is no number. */
  static double atMostOne(double delta) {
    return delta <= 1 ? delta : 1;
  }

  /** At most δ, of at least so many units. */
  double deltaBelow(double loss, double scaled) {
    double log = logScale - window.tilt() * loss;
    double finite = Math.exp(log - relative - 4 * Doubles.ULP * Math.abs(log)) * scaled;
    return (finite + leastInfinite) * (1 - 4 * Doubles.ULP);
  }

  /** δ(ε) ≤ e^(K − λε) needs no transform, and is left where its errors are too many. */
  double chernoff(double delta) {
    double left = (delta - mostInfinite) * (1 - 0x1p-50);
    if (!(left > 0 && window.tilt() > 0)) {
      return Double.POSITIVE_INFINITY;
    }
    double log = Math.log(left);
    double rounding = 4 * Doubles.ULP * (Math.abs(logScale) + Math.abs(log));
    return (logScale - log + relative + rounding) / window.tilt() * (1 + 4 * Doubles.ULP);
  }
}
