package io.mutune.orchestrator.compare;

import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * Relative error reduction (linear scaling, section 5): (ours − random)/(oracle − random) of mean
 * accuracies. The interval is Fieller's: all θ for which ours − random − θ·(oracle − random) is not
 * further from 0 than Student's t allows, with as many degrees of freedom as one of the three has.
 * That is the fewest which their sum can have, so no less than 95% of intervals hold the true
 * ratio, however few the repeats and however unlike the three spread. Where the oracle is not told
 * from random search, there is no bound.
 */
record ErrorReduction(Sample random, Sample oracle) {
  /** Of an interval of 95%, to one side. */
  private static final double QUANTILE = 0.975;

  /** Empty if the oracle is no better than random search: there is no error to be reduced then. */
  Optional<Interval95> of(Sample ours) {
    double whole = oracle.mean() - random.mean();
    return whole > 0 ? Optional.of(interval(ours, whole)) : Optional.empty();
  }

  private Interval95 interval(Sample ours, double whole) {
    double part = ours.mean() - random.mean();
    double value = part / whole;
    int fewest =
        IntStream.of(ours.values().size(), random.values().size(), oracle.values().size())
            .min()
            .orElseThrow();
    if (fewest < 2) {
      return unbounded(value);
    }
    double t = new TDistribution(fewest - 1).inverseCumulativeProbability(QUANTILE);
    double spread = square(t) * squaredError(random);
    // (part − θ·whole)² is at most t² times its variance: a·θ² − 2b·θ + c is not above 0.
    double a = square(whole) - spread - square(t) * squaredError(oracle);
    double b = part * whole - spread;
    double c = square(part) - spread - square(t) * squaredError(ours);
    if (a <= 0) {
      return unbounded(value);
    }
    double half = Math.sqrt(Math.max(0, square(b) - a * c));
    return Interval95.of(value, Math.min(value, (b - half) / a), Math.max(value, (b + half) / a));
  }

  private static Interval95 unbounded(double value) {
    return new Interval95(value, OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** Of the mean. */
  private static double squaredError(Sample sample) {
    return square(sample.spread()) / sample.values().size();
  }

  private static double square(double x) {
    return x * x;
  }
}
