package io.mutune.accountant.pld;

/**
 * The masses of a dominating pair on both sides of a loss ℓ′ that is ℓ but for rounding: P(L ≤ ℓ′),
 * P(L > ℓ′), Q(L ≤ ℓ′), Q(L > ℓ′). Infinite losses are in none of them. Both sides are kept since
 * each is exact where it is small.
 *
 * @param relative bounds the relative error of each mass that is 0 or a normal double
 * @param shift bounds |ℓ′ − ℓ|; ℓ′ is the same for all four
 */
record Split(
    double pBelow, double pAbove, double qBelow, double qAbove, double relative, double shift) {}
