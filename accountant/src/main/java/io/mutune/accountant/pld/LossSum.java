package io.mutune.accountant.pld;

/** The distribution of a sum of losses near one place of it, with every error of it bounded. */
sealed interface LossSum permits TiltedSum, FewFrequencies {
  /** At least δ(ε); 1 below the window. */
  double deltaAbove(double epsilon);

  /** At most δ(ε), of measures whose δ is at most the truth; may leave [0, 1] by what it is off. */
  double deltaBelow(double epsilon);

  /**
   * The smallest ε in the window with δ(ε) at most {@code delta}, rounded up; infinite if there is
   * none, and the window's lowest loss if all are.
   */
  double epsilonAbove(double delta);

  /**
   * An ε whose δ(ε) is above {@code delta}, or minus infinity if the window has none. Of measures
   * whose δ is at most the truth.
   *
   * @param near above it, and where to begin
   */
  double epsilonBelow(double delta, double near);
}
