package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.AllowedSolution;
import org.apache.commons.math3.analysis.solvers.BracketingNthOrderBrentSolver;

/**
 * The one search for the edge of what a budget keeps: steps that grow until the edge is between
 * two, then a root of how far the budget is passed, or bisection where that is not known. What is
 * returned has been tried and is kept, whatever happens elsewhere; where that changes but once, a
 * hair further it is not.
 */
final class Search {
  /** How near to the edge, relatively. */
  private static final double ACCURACY = 0x1p-40;

  /** From here steps no longer grow. */
  private static final double LONGEST_STEP = 0x1p32;

  private static final double LARGEST_EXCESS = 100;

  /** Points of an interpolation. */
  private static final int ORDER = 5;

  /** Several times what bisection of the widest interval takes. */
  private static final int MOST_TRIES = 1000;

  private Search() {}

  /**
   * The smallest number that is kept, where all larger ones are; {@code least} if that is, and
   * empty if {@code most} is not.
   *
   * @param excess of a number: at most 0 if it is kept, and above 0 if not; the nearer it is to the
   *     logarithm of a power of the number, the fewer are tried
   */
  static OptionalDouble smallest(
      double least, double start, double most, DoubleUnaryOperator excess) {
    double kept = start;
    double broken = start;
    double keptExcess = excess.applyAsDouble(start);
    double brokenExcess = keptExcess;
    if (keptExcess <= 0) {
      for (double step = 2; brokenExcess <= 0; step = next(step)) {
        kept = broken;
        keptExcess = brokenExcess;
        if (kept == least) {
          return OptionalDouble.of(least);
        }
        broken = Math.max(least, kept / step);
        brokenExcess = excess.applyAsDouble(broken);
      }
    } else {
      for (double step = 2; !(keptExcess <= 0); step = next(step)) {
        broken = kept;
        brokenExcess = keptExcess;
        if (broken == most) {
          return OptionalDouble.empty();
        }
        kept = Math.min(most, broken * step);
        keptExcess = excess.applyAsDouble(kept);
      }
    }
    return OptionalDouble.of(between(broken, brokenExcess, kept, keptExcess, excess));
  }

  /** A number that is kept and within a hair of one that is not; in logarithms. */
  private static double between(
      double broken,
      double brokenExcess,
      double kept,
      double keptExcess,
      DoubleUnaryOperator excess) {
    double from = Math.log(broken);
    double to = Math.log(kept);
    if (!(to - from > ACCURACY)) {
      return kept;
    }
    UnivariateFunction known =
        at ->
            bounded(
                at == from
                    ? brokenExcess
                    : at == to ? keptExcess : excess.applyAsDouble(Math.exp(at)));
    double edge =
        new BracketingNthOrderBrentSolver(Math.ulp(1.0), ACCURACY, 0, ORDER)
            .solve(MOST_TRIES, known, from, to, AllowedSolution.BELOW_SIDE);
    return edge == to ? kept : Math.exp(edge);
  }

  /** For solvers, which interpolate. */
  private static double bounded(double excess) {
    return Math.max(-LARGEST_EXCESS, Math.min(LARGEST_EXCESS, excess));
  }

  private static double next(double step) {
    return Math.min(step * step, LONGEST_STEP);
  }

  /** The largest number that is kept, where all smaller ones are; likewise. */
  static OptionalDouble largest(
      double least, double start, double most, DoubleUnaryOperator excess) {
    OptionalDouble inverse =
        smallest(1 / most, 1 / start, 1 / least, x -> excess.applyAsDouble(Math.min(most, 1 / x)));
    return inverse.isPresent()
        ? OptionalDouble.of(Math.min(most, 1 / inverse.getAsDouble()))
        : inverse;
  }

  /** The largest whole number that is kept, where all smaller ones are; 0 if 1 is not. */
  static long largestWhole(LongPredicate keeps) {
    long kept = 0;
    long broken = 1;
    while (keeps.test(broken)) {
      kept = broken;
      if (kept == Long.MAX_VALUE) {
        return kept;
      }
      broken = kept > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * kept;
    }
    while (broken - kept > 1) {
      long middle = kept + (broken - kept) / 2;
      if (keeps.test(middle)) {
        kept = middle;
      } else {
        broken = middle;
      }
    }
    return kept;
  }

  /** The smallest δ above {@code fixed} that is kept, but for a hair; 1 if none below 1 is. */
  static double smallestDelta(double fixed, Predicate<Delta> keeps) {
    if (!(fixed < 1)) {
      return 1;
    }
    DoubleUnaryOperator sides =
        x -> {
          double delta = fixed + x;
          return delta >= 1 || keeps.test(Delta.of(delta)) ? -1 : 1;
        };
    double more = smallest(Double.MIN_NORMAL, 1e-9, 1, sides).orElse(1);
    return Math.min(1, fixed + more);
  }
}
