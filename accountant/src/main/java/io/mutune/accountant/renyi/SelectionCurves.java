package io.mutune.accountant.renyi;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.accountant.renyi.OrderSearch.Best;
import java.util.function.DoubleUnaryOperator;

/** Random stopping (Papernot and Steinke 2022): the best of a random and secret number of runs. */
final class SelectionCurves {
  private SelectionCurves() {}

  static RenyiCurve of(RepeatAndSelect selection, Adjacency adjacency) {
    RenyiDp once = RenyiDp.of(selection.run(), adjacency);
    RenyiDp run = new RenyiDp(once.curve().remembered(), once.failure());
    if (run.failure() > 0) {
      throw new IllegalArgumentException(
          "the Rényi accountant does not support %s: its run %s may fail"
              .formatted(selection.name(), selection.run().name()));
    }
    TrialCount trials = selection.trials();
    if (trials instanceof TruncatedNegativeBinomial law) {
      double auxiliary =
          OrderSearch.least(order -> auxiliary(run.curve().at(order), law, order)).bound();
      return negativeBinomial(run.curve(), law, auxiliary);
    }
    if (trials instanceof PoissonTrials law) {
      DoubleUnaryOperator delta =
          selection
              .run()
              .mu()
              .<DoubleUnaryOperator>map(mu -> e -> GaussianDp.of(mu).delta(Epsilon.of(e)).value())
              .orElse(e -> run.delta(Epsilon.of(e)).value());
      return poisson(run.curve(), law, delta);
    }
    if (trials instanceof BinomialTrials law) {
      // No theorem of this kind is derived for it; K runs tell no more than all that there may be.
      return order -> Rounding.up(law.most() * run.curve().at(order));
    }
    throw new IllegalArgumentException(
        "the Rényi accountant does not support the law of trials " + trials.name());
  }

  /** What is least over λ̂ in Theorem 2: (1 − 1/λ̂)·D_λ̂ + ln(1/γ)/λ̂. */
  static double auxiliary(double divergence, TruncatedNegativeBinomial law, double order) {
    return Rounding.up((order - 1) / order * divergence - Math.log(law.gamma()) / order);
  }

  /**
   * Theorem 2: D'_λ = D_λ + (1 + η)·auxiliary + ln E[K]/(λ − 1). Below the order at which that is
   * least, its least value holds too, as divergences grow with their order.
   */
  static RenyiCurve negativeBinomial(
      RenyiCurve run, TruncatedNegativeBinomial law, double auxiliary) {
    double logMean = logMean(law);
    RenyiCurve plain = order -> plain(run.at(order), law.shape(), logMean, auxiliary, order);
    Best least = OrderSearch.least(plain::at);
    return order -> order < least.order() ? least.bound() : plain.at(order);
  }

  /** Covers the rounding of the mean's formula. */
  static double logMean(TruncatedNegativeBinomial law) {
    return Rounding.up(Math.log(law.mean() * (1 + 0x1p-45)));
  }

  static double plain(
      double divergence, double shape, double logMean, double auxiliary, double order) {
    return Rounding.up(divergence + (1 + shape) * auxiliary + logMean / (order - 1));
  }

  /**
   * Theorem 6: D'_λ = D_λ + κ·δ̂ + ln κ/(λ − 1) with the run's δ̂ at e^ε̂ = 1 + 1/(λ − 1).
   *
   * <p>Below a mean of 1 that is false: its last term is negative without bound near order 1, where
   * the truth is at least 0. Then K runs are a mean of 1 of those, each of which is skipped with
   * probability 1 − κ: by joint convexity the skipping run has e^((λ−1)D) = 1 − κ + κ·e^((λ−1)D_λ)
   * and κ·δ̂, and the theorem holds for it with a mean of 1.
   */
  static RenyiCurve poisson(RenyiCurve run, PoissonTrials law, DoubleUnaryOperator deltaOfRun) {
    double mean = law.mean();
    double logMean = Math.max(0, Math.log(mean));
    return order -> {
      double excess = order - 1;
      double epsilon = Math.max(0, Rounding.down(Math.log1p(1 / excess)));
      double divergence =
          mean < 1 ? SampledGaussian.mixed(mean, run.at(order), order) : run.at(order);
      return Rounding.sumUp(divergence, mean * deltaOfRun.applyAsDouble(epsilon), logMean / excess);
    };
  }
}
