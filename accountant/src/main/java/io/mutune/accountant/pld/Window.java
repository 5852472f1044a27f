package io.mutune.accountant.pld;

/**
 * Where and how finely a sum of losses is computed.
 *
 * @param spacing of the grid
 * @param size the number of its points, a power of two
 * @param first the index of the lowest
 * @param tilt λ, at least 0
 * @param beyond the λ of Chernoff's bound for what is above the window
 * @param before the λ of the bound for what is below it, under the tilt
 * @param cut the mass that each single loss may lose at either end
 */
record Window(
    double spacing, int size, long first, double tilt, double beyond, double before, double cut) {
  /** Another grid at the same λ. */
  Window on(double otherSpacing, int otherSize, long otherFirst) {
    return new Window(otherSpacing, otherSize, otherFirst, tilt, beyond, before, cut);
  }

  double lowest() {
    return first * spacing;
  }

  double highest() {
    return (first + size - 1) * spacing;
  }
}
