package io.mutune.accountant.empirical;

/** How often a statement may be wrong: 1 less its confidence. */
final class Alpha {
  private Alpha() {}

  static void check(double alpha) {
    if (!(alpha > 0 && alpha < 1)) {
      throw new IllegalArgumentException(
          "a confidence lies strictly between 0 and 1, and so does 1 less it; was " + alpha);
    }
  }
}
