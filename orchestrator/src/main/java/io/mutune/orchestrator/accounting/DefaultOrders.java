package io.mutune.orchestrator.accounting;

import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.accountant.renyi.RenyiCurve;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Random stopping's divergences as dp_accounting 0.6.0 computes them, where the auxiliary order is
 * one of its few default orders and not the best: for comparison with its tables, and never the
 * guarantee. To nearest.
 */
final class DefaultOrders {
  private static final List<Double> ORDERS =
      DoubleStream.concat(
              IntStream.rangeClosed(11, 109).mapToDouble(i -> i / 10.0),
              DoubleStream.concat(
                  IntStream.rangeClosed(11, 63).mapToDouble(i -> i),
                  DoubleStream.of(128, 256, 512, 1024)))
          .boxed()
          .toList();

  private DefaultOrders() {}

  /** The curve of the best of a random number of runs of this curve. */
  static DoubleUnaryOperator selection(RenyiCurve run, TrialCount trials) {
    if (trials instanceof TruncatedNegativeBinomial law) {
      return negativeBinomial(run, law);
    }
    if (trials instanceof PoissonTrials law) {
      return order -> poisson(run, law.mean(), order);
    }
    throw new IllegalStateException("an unknown law of trials: " + trials.name());
  }

  /** Papernot and Steinke 2022, Theorem 2; divergences grow with their order. */
  private static DoubleUnaryOperator negativeBinomial(
      RenyiCurve run, TruncatedNegativeBinomial law) {
    double auxiliary =
        least(o -> (o - 1) / o * run.at(o) - Math.log(law.gamma()) / o, Double.NEGATIVE_INFINITY);
    double logMean = Math.log(law.mean());
    return order ->
        least(o -> run.at(o) + (1 + law.shape()) * auxiliary + logMean / (o - 1), order);
  }

  /**
   * Theorem 6, with the run's δ at ln(1 + 1/(λ − 1)). It holds for a mean of 1 and more; for less
   * it is that of a mean of 1 for a run that is skipped with probability 1 − κ.
   */
  private static double poisson(RenyiCurve run, double mean, double order) {
    double epsilon = Math.log1p(1 / (order - 1));
    double delta = least(o -> delta(run.at(o), o, epsilon), Double.NEGATIVE_INFINITY);
    double divergence = run.at(order);
    if (mean < 1) {
      double skipped = Math.log1p(mean * Math.expm1((order - 1) * divergence)) / (order - 1);
      return Math.min(divergence, skipped) + mean * delta;
    }
    return divergence + mean * delta + Math.log(mean) / (order - 1);
  }

  /** Canonne, Kamath and Steinke 2020, Proposition 12, or the total variation distance. */
  private static double delta(double divergence, double order, double epsilon) {
    double log = (order - 1) * (divergence - epsilon + Math.log1p(-1 / order)) - Math.log(order);
    return Math.min(Math.sqrt(-Math.expm1(-divergence)), Math.exp(log));
  }

  private static double least(DoubleUnaryOperator bound, double from) {
    return ORDERS.stream()
        .filter(order -> order >= from)
        .mapToDouble(bound::applyAsDouble)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
