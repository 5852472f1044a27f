package io.mutune.orchestrator.reproduce;

/** How a figure compares with the published one, in a word. */
public enum Verdict {
  BETTER("better"),
  /** The published figure lies in the interval of ours. */
  EQUAL("equal"),
  WORSE("worse"),
  NOT_OBTAINABLE("not obtainable"),
  /** Where the paper gives no figure, or ours is not known surely enough to have an interval. */
  NONE("");

  private final String word;

  Verdict(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /**
   * By an interval, whose ends may be infinite; one without any tells nothing.
   *
   * @param low of ours
   * @param high of ours
   */
  static Verdict of(ClaimedMetric figure, double published, double low, double high) {
    boolean hasEnd = Double.isFinite(low) || Double.isFinite(high);
    if (!hasEnd) {
      return NONE;
    }
    if (low <= published && published <= high) {
      return EQUAL;
    }
    return low > published == figure.moreIsBetter() ? BETTER : WORSE;
  }
}
