package io.mutune.accountant.gdp;

import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.AllowedSolution;
import org.apache.commons.math3.analysis.solvers.BracketingNthOrderBrentSolver;
import org.apache.commons.math3.exception.NoBracketingException;
import org.apache.commons.math3.exception.NumberIsTooLargeException;

/** Roots of monotone functions, always on a stated side of the root and never merely near it. */
final class PrivateSide {
  /** Four times the spacing of doubles: a closer bracket could be one without an inner point. */
  private static final double RELATIVE_ACCURACY = 0x1p-50;

  /** How closely a rough function is solved, and how far from there the root may be. */
  private static final double ROUGH_ACCURACY = 0x1p-46;

  private static final double AROUND = 0x1p-45;

  private static final int ORDER = 5;

  /** A bisection from the largest to the smallest double takes 2100 steps; seldom are 30 needed. */
  private static final int MAX_EVALUATIONS = 10_000;

  private PrivateSide() {}

  /** Newton's steps before the bracketing solver takes over. */
  private static final int FEW = 4;

  /**
   * Where a root should be.
   *
   * @param at NaN if that is not known
   * @param slope of f there, to a few digits; not 0
   */
  record Start(double at, double slope) {}

  /** A point within four units in the last place of the root at which f is at most 0. */
  static double whereNotAbove(UnivariateFunction f, double low, double high) {
    return solve(f, low, high, AllowedSolution.BELOW_SIDE);
  }

  /**
   * The same with fewer calls of f.
   *
   * @param rough is nearly f, and cheaper
   */
  static double whereNotAbove(
      UnivariateFunction f, UnivariateFunction rough, double low, double high) {
    return solve(f, rough, low, high, AllowedSolution.BELOW_SIDE);
  }

  /**
   * The same by Newton's method, and by the other ways only where that does not do: for a start
   * near the root f is called once or twice.
   */
  static double whereNotAbove(
      UnivariateFunction f, UnivariateFunction rough, Start start, double low, double high) {
    double root = newton(f, start, 1);
    return Double.isNaN(root) ? solve(f, rough, low, high, AllowedSolution.BELOW_SIDE) : root;
  }

  /** Likewise, where f is at least 0. */
  static double whereNotBelow(
      UnivariateFunction f, UnivariateFunction rough, Start start, double low, double high) {
    double root = newton(f, start, -1);
    return Double.isNaN(root) ? solve(f, rough, low, high, AllowedSolution.ABOVE_SIDE) : root;
  }

  /**
   * A point where side·f is at most 0 and so near to it that f's root is within the accuracy; NaN
   * if a few steps do not come upon one.
   */
  private static double newton(UnivariateFunction f, Start start, int side) {
    double x = start.at();
    double away = -side * Math.signum(start.slope()) * RELATIVE_ACCURACY / 4;
    for (int i = 0; i < FEW && x > 0; i++) {
      double value = f.value(x);
      double step = value / start.slope();
      if (side * value <= 0 && Math.abs(step) <= RELATIVE_ACCURACY * x) {
        return x;
      }
      x -= step - away * x;
    }
    return Double.NaN;
  }

  /** Looks at f only around the root of {@code rough}, if that is where f has its own. */
  private static double solve(
      UnivariateFunction f,
      UnivariateFunction rough,
      double low,
      double high,
      AllowedSolution allowed) {
    try {
      double near = solver(ROUGH_ACCURACY).solve(MAX_EVALUATIONS, rough, low, high);
      double from = Math.max(low, near * (1 - AROUND));
      double to = Math.min(high, near * (1 + AROUND));
      return solve(f, from, to, allowed);
    } catch (NoBracketingException | NumberIsTooLargeException e) {
      return solve(f, low, high, allowed);
    }
  }

  private static double solve(
      UnivariateFunction f, double low, double high, AllowedSolution allowed) {
    return solver(RELATIVE_ACCURACY).solve(MAX_EVALUATIONS, f, low, high, allowed);
  }

  private static BracketingNthOrderBrentSolver solver(double relativeAccuracy) {
    return new BracketingNthOrderBrentSolver(relativeAccuracy, Double.MIN_VALUE, 0, ORDER);
  }
}
