package io.mutune.accountant.ledger;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import org.apache.commons.numbers.gamma.Erfc;

/**
 * What the best of a random number of Gaussian runs costs at least if its outputs are ranked badly,
 * which nothing forbids: an ε that is stated for every ranking cannot be below it.
 *
 * <p>Outputs are numbers. The event is those above a place; they rank just above the outputs
 * between a lower place and that one, and the rest rank above all. So the probability that the best
 * is one of them is φ(x + y) − φ(x) on either data set, with the masses x and y of the two ranges
 * and the generating function φ of the number of runs.
 *
 * @param rise φ(x + y) − φ(x) of x and y
 */
record WorstOrder(double mu, double rate, DoubleBinaryOperator rise) {
  private static final double STEP = 0.0625;
  private static final double FARTHEST = 9;
  private static final int BISECTIONS = 40;

  /** Far more than a probability here is off by, as a share of it. */
  private static final double ROUNDING = 1e-9;

  /** Empty for a mechanism of another kind. */
  static Optional<WorstOrder> of(Mechanism mechanism, Adjacency adjacency) {
    if (!(mechanism instanceof RepeatAndSelect selection)) {
      return Optional.empty();
    }
    DoubleBinaryOperator rise = rise(selection.trials());
    if (selection.run() instanceof Gaussian run) {
      double mu = run.sensitivity() / run.sigma().value() * Math.sqrt((double) run.count());
      return Optional.of(new WorstOrder(mu, 1, rise));
    }
    if (selection.run() instanceof SubsampledGaussian run
        && run.count() == 1
        && adjacency == Adjacency.ADD_REMOVE) {
      double mu = run.sensitivity() / run.sigma().value();
      return Optional.of(new WorstOrder(mu, run.samplingRate(), rise));
    }
    return Optional.empty();
  }

  /** Not as a difference, which is 0 in doubles where y is small beside x. */
  private static DoubleBinaryOperator rise(TrialCount trials) {
    if (trials instanceof PoissonTrials law) {
      return (x, y) -> Math.exp(law.mean() * (x - 1)) * Math.expm1(law.mean() * y);
    }
    if (trials instanceof BinomialTrials law) {
      double p = law.probability();
      return (x, y) -> {
        double base = 1 - p + p * x;
        return Math.pow(base, law.most()) * Math.expm1(law.most() * Math.log1p(p * y / base));
      };
    }
    TruncatedNegativeBinomial law = (TruncatedNegativeBinomial) trials;
    double shape = law.shape();
    double share = 1 - law.gamma();
    double whole = -Math.log(law.gamma());
    return (x, y) -> {
      double base = 1 - share * x;
      double part = -Math.log1p(-share * y / base);
      return shape == 0
          ? part / whole
          : Math.pow(base, -shape) * Math.expm1(shape * part) / Math.expm1(shape * whole);
    };
  }

  /** An ε that no smaller one is enough for at this δ. */
  double epsilon(Delta delta) {
    double low = 0;
    double high = 1;
    while (delta(high) > delta.value() && high < 64) {
      high *= 2;
    }
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (delta(middle) > delta.value()) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The largest of some events' P − e^ε·Q. */
  double delta(double epsilon) {
    double most = 0;
    for (double event = 0; event < FARTHEST + mu; event += STEP) {
      double p = above(event);
      double q = tail(event);
      for (double next = -FARTHEST; next < event; next += STEP) {
        double with = rise.applyAsDouble(above(next) - p, p) * (1 - ROUNDING);
        double without = rise.applyAsDouble(tail(next) - q, q) * (1 + ROUNDING);
        most = Math.max(most, with - Math.exp(epsilon) * without);
      }
    }
    return most;
  }

  private double above(double place) {
    return (1 - rate) * tail(place) + rate * tail(place - mu);
  }

  private static double tail(double place) {
    return Erfc.value(place * Math.sqrt(0.5)) / 2;
  }
}
