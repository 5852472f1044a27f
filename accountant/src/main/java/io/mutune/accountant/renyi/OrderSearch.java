package io.mutune.accountant.renyi;

import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;
import org.apache.commons.math3.optim.univariate.UnivariatePointValuePair;

/**
 * The order at which a bound is least, among all real orders above 1. Every order gives a valid
 * bound, so that a search which missed the best one would cost tightness and never privacy.
 */
final class OrderSearch {
  /** From where a double's α − 1 still has digits to where ln(1/δ)/(α − 1) is beside no ε. */
  private static final int LOWEST = -40;

  private static final int HIGHEST = 90;

  /** Scanning every second power of two finds the valley, which is smooth on a scale of e. */
  private static final int STRIDE = 2;

  /** The bound errs by its square; a closer search would only see rounding. */
  private static final double RELATIVE_ACCURACY = 1e-9;

  private static final double ABSOLUTE_ACCURACY = 1e-9;
  private static final int MAX_EVALUATIONS = 500;

  private OrderSearch() {}

  /** An order and the bound there. */
  record Best(double order, double bound) {}

  /** The least value of {@code bound}, a function of the order. */
  static Best least(DoubleUnaryOperator bound) {
    Best best = new Best(order(LOWEST), Double.POSITIVE_INFINITY);
    int valley = LOWEST;
    for (int power = LOWEST; power <= HIGHEST; power += STRIDE) {
      double value = bound.applyAsDouble(order(power));
      if (value < best.bound()) {
        best = new Best(order(power), value);
        valley = power;
      }
    }
    UnivariatePointValuePair refined =
        new BrentOptimizer(RELATIVE_ACCURACY, ABSOLUTE_ACCURACY)
            .optimize(
                GoalType.MINIMIZE,
                new MaxEval(MAX_EVALUATIONS),
                new UnivariateObjectiveFunction(power -> bound.applyAsDouble(order(power))),
                new SearchInterval(valley - STRIDE, valley + STRIDE, valley));
    return refined.getValue() < best.bound()
        ? new Best(order(refined.getPoint()), refined.getValue())
        : best;
  }

  private static double order(double power) {
    return 1 + Math.pow(2, power);
  }
}
