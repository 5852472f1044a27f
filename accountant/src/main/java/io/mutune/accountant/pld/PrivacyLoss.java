package io.mutune.accountant.pld;

/**
 * A dominating pair (P, Q) of a mechanism, by its privacy loss L = ln dP/dQ: for every ε, no two
 * neighbouring data sets have a larger hockey-stick divergence than δ(ε) = E_P[(1 − e^(ε−L))₊]
 * (Zhu, Dong and Wang 2022, Definition 7). The reverse direction of the neighbours has the pair
 * {@link #reversed}.
 *
 * <p>Implementations are records, so that equal pairs are composed as one with a count.
 */
interface PrivacyLoss {
  /** The masses on both sides of a finite loss. */
  Split at(double loss);

  /**
   * Losses in ascending order whose gaps are small against the spread of the distribution, from
   * where next to nothing is below to where next to nothing is above. For planning only.
   */
  double[] landmarks();

  /** P(L = ∞), rounded up. */
  default double infinite() {
    return 0;
  }

  /** No finite loss is above it. */
  default double largest() {
    return Double.POSITIVE_INFINITY;
  }

  /** No finite loss is below it. */
  default double smallest() {
    return Double.NEGATIVE_INFINITY;
  }

  /** The loss of the pair (Q, P); this one itself if the pair is symmetric. */
  PrivacyLoss reversed();

  /**
   * The distance of a few equally spaced losses that have all the mass, or 0: grids that have them
   * among their points compose them exactly.
   */
  default double lattice() {
    return 0;
  }
}
