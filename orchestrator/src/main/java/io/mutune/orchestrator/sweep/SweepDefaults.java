package io.mutune.orchestrator.sweep;

import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.SplitProposal;

/**
 * By which defaults a sweep's text is planned where it leaves something out, and which marks its
 * studies set beside their charges. A study keeps those that it was planned by, since charges
 * follow from the plan and it is made anew from the text.
 */
public enum SweepDefaults {
  /**
   * A search over ν that gives no steps takes 100, and with {@code auto} 500 at most, below the
   * limit that momentum 0.9 has at zero weights. Studies of before this was noted.
   */
  HUNDRED_STEPS,

  /** It takes as many as its plan finds. */
  PLANNED_STEPS,

  /**
   * It looks at ν from 0.2 to 8, where it looked from 0.1 to 10; trials that the plan proposes take
   * 7% of the budget's μ² at most, where they took 10%, and their scores a larger part of that.
   */
  CHEAPER_TRIALS,

  /** Trials are proposed where the budget's μ times the rows is 1600, where it was from 800 on. */
  SURER_TRIALS,

  /** They take 7% of the budget's μ² whatever that is, where 1600 was the most μ·n of one. */
  FIXED_SHARE,

  /** Those of a line, too, are proposed from a μn of the budget of 1600 on, where it was 700. */
  SURER_LINES,

  /** The plan's steps are twice as many, at half of the largest rate. */
  TWICE_THE_STEPS,

  /** Trials of a line have less where the parts of ε that they stand at leave nothing. */
  PAYABLE_LINES,

  /** A score of one number is marked before it is asked for, as counts of several always were. */
  MARKED_SCORES;

  /** Those by which a new study is planned. */
  public static SweepDefaults latest() {
    return MARKED_SCORES;
  }

  /** Whether the plan finds how many steps a search over ν takes. */
  public boolean planSteps() {
    return this != HUNDRED_STEPS;
  }

  /** Whether those steps are the least with which the largest ν can be reached. */
  public boolean leastSteps() {
    return compareTo(TWICE_THE_STEPS) < 0;
  }

  /** Where a search looks for ν. */
  public Interval logitNoise() {
    return compareTo(CHEAPER_TRIALS) < 0 ? RunScale.EARLIER_NOISE : RunScale.USUAL_NOISE;
  }

  /** The least μ·n of a budget for which trials of a line are proposed. */
  public double leastOfLine() {
    return compareTo(SURER_LINES) < 0 ? 0 : amounts().least();
  }

  /** Whether a budget can pay all trials that are proposed for a line. */
  public boolean payableLines() {
    return compareTo(PAYABLE_LINES) >= 0;
  }

  /** Whether a charged score without a mark was never asked for. */
  public boolean markScores() {
    return compareTo(MARKED_SCORES) >= 0;
  }

  /** What trials that the plan proposes ask for. */
  public SplitProposal.Amounts amounts() {
    return switch (this) {
      case HUNDRED_STEPS, PLANNED_STEPS -> SplitProposal.Amounts.EARLIER;
      case CHEAPER_TRIALS -> SplitProposal.Amounts.SOONER;
      case SURER_TRIALS -> SplitProposal.Amounts.SURER;
      case FIXED_SHARE, SURER_LINES, TWICE_THE_STEPS, PAYABLE_LINES, MARKED_SCORES ->
          SplitProposal.Amounts.USUAL;
    };
  }
}
