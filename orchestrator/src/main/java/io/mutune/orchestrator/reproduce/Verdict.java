package io.mutune.orchestrator.reproduce;

/** How a figure compares with the published one, in a word. */
public enum Verdict {
  BETTER("better"),
  /** The published figure lies in the interval of ours. */
  EQUAL("equal"),
  WORSE("worse"),
  NOT_OBTAINABLE("not obtainable"),
  /** Where what it needs is not there. */
  NOT_TRIED("not tried"),
  /** Where the paper gives no figure, or ours is not known surely enough to say anything. */
  NONE("");

  private final String word;

  Verdict(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /**
   * By an interval, whose ends may be infinite; one without any tells nothing, and neither does one
   * of an effect that holds both none and the published one.
   *
   * @param low of ours
   * @param high of ours
   * @param isEffect whether 0 stands for no effect
   */
  static Verdict of(
      ClaimedMetric figure, double published, double low, double high, boolean isEffect) {
    boolean hasEnd = Double.isFinite(low) || Double.isFinite(high);
    if (!hasEnd) {
      return NONE;
    }
    if (low <= published && published <= high) {
      return isEffect && published != 0 && low <= 0 && 0 <= high ? NONE : EQUAL;
    }
    return low > published == figure.moreIsBetter() ? BETTER : WORSE;
  }
}
