package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import java.util.OptionalDouble;
import java.util.function.DoublePredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * The one search for the edge of what a budget keeps: steps that grow until the edge is between
 * two, then bisection. What is returned has been tried and is kept, whatever the predicate does
 * elsewhere; where it changes but once, a hair further it is not.
 */
final class Search {
  /** How near to the edge, relatively. */
  private static final double ACCURACY = 0x1p-40;

  /** From here steps no longer grow. */
  private static final double LONGEST_STEP = 0x1p32;

  private Search() {}

  /**
   * The smallest number that is kept, where all larger ones are; {@code least} if that is, and
   * empty if {@code most} is not.
   */
  static OptionalDouble smallest(double least, double start, double most, DoublePredicate keeps) {
    double kept = start;
    double broken = start;
    if (keeps.test(start)) {
      for (double step = 2; broken == start || keeps.test(broken); step = next(step)) {
        kept = broken;
        if (kept == least) {
          return OptionalDouble.of(least);
        }
        broken = Math.max(least, kept / step);
      }
    } else {
      for (double step = 2; kept == start || !keeps.test(kept); step = next(step)) {
        broken = kept;
        if (broken == most) {
          return OptionalDouble.empty();
        }
        kept = Math.min(most, broken * step);
      }
    }
    while (kept > broken * (1 + ACCURACY)) {
      double middle = Math.sqrt(kept) * Math.sqrt(broken);
      if (!(middle > broken && middle < kept)) {
        break;
      }
      if (keeps.test(middle)) {
        kept = middle;
      } else {
        broken = middle;
      }
    }
    return OptionalDouble.of(kept);
  }

  private static double next(double step) {
    return Math.min(step * step, LONGEST_STEP);
  }

  /** The largest number that is kept, where all smaller ones are; likewise. */
  static OptionalDouble largest(double least, double start, double most, DoublePredicate keeps) {
    OptionalDouble inverse =
        smallest(1 / most, 1 / start, 1 / least, x -> keeps.test(Math.min(most, 1 / x)));
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
    DoublePredicate beyond =
        x -> {
          double delta = fixed + x;
          return delta >= 1 || keeps.test(Delta.of(delta));
        };
    double more = smallest(Double.MIN_NORMAL, 1e-9, 1, beyond).orElse(1);
    return Math.min(1, fixed + more);
  }
}
