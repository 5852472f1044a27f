package io.mutune.accountant.pld;

/**
 * The masses of a dominating pair on both sides of a loss ℓ: P(L ≤ ℓ), P(L > ℓ), Q(L ≤ ℓ), Q(L >
 * ℓ). Infinite losses are in none of them. Both sides are kept since each is exact where it is
 * small.
 *
 * @param relative bounds the relative error of each mass
 * @param shift bounds how far the loss at which the masses are split can be from ℓ, by rounding
 */
record Split(
    double pBelow, double pAbove, double qBelow, double qAbove, double relative, double shift) {}
