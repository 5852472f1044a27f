package io.mutune.accountant.gdp;

import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.AllowedSolution;
import org.apache.commons.math3.analysis.solvers.BracketingNthOrderBrentSolver;

/** Roots of monotone functions, always on a stated side of the root and never merely near it. */
final class PrivateSide {
  /** Four times the spacing of doubles: a closer bracket could be one without an inner point. */
  private static final double RELATIVE_ACCURACY = 0x1p-50;

  private static final int ORDER = 5;

  /** A bisection from the largest to the smallest double takes 2100 steps; seldom are 30 needed. */
  private static final int MAX_EVALUATIONS = 10_000;

  private PrivateSide() {}

  /** A point within four units in the last place of the root at which f is at most 0. */
  static double whereNotAbove(UnivariateFunction f, double low, double high) {
    return solve(f, low, high, AllowedSolution.BELOW_SIDE);
  }

  /** A point within four units in the last place of the root at which f is at least 0. */
  static double whereNotBelow(UnivariateFunction f, double low, double high) {
    return solve(f, low, high, AllowedSolution.ABOVE_SIDE);
  }

  private static double solve(
      UnivariateFunction f, double low, double high, AllowedSolution allowed) {
    return new BracketingNthOrderBrentSolver(RELATIVE_ACCURACY, Double.MIN_VALUE, 0, ORDER)
        .solve(MAX_EVALUATIONS, f, low, high, allowed);
  }
}
