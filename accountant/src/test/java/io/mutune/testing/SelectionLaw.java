package io.mutune.testing;

import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.util.CombinatoricsUtils;

/**
 * Random stopping as it happens.
 *
 * @param probabilities P(K = k) from k = 0, by the law's definition
 */
public record SelectionLaw(TrialCount count, double[] probabilities) {
  /** Beyond it the laws whose outcomes are summed have less than 1e-12 left. */
  private static final int MOST_RUNS = 4000;

  public static SelectionLaw of(TrialCount count) {
    double[] all = new double[MOST_RUNS];
    if (count instanceof BinomialTrials binomial) {
      int n = binomial.most();
      for (int k = 0; k <= n; k++) {
        all[k] =
            CombinatoricsUtils.binomialCoefficientDouble(n, k)
                * Math.pow(binomial.probability(), k)
                * Math.pow(1 - binomial.probability(), n - k);
      }
    } else if (count instanceof PoissonTrials poisson) {
      double log = -poisson.mean();
      for (int k = 0; k < MOST_RUNS; k++) {
        all[k] = Math.exp(log);
        log += Math.log(poisson.mean()) - Math.log(k + 1);
      }
    } else {
      TruncatedNegativeBinomial binomial = (TruncatedNegativeBinomial) count;
      double eta = binomial.shape();
      double gamma = binomial.gamma();
      double term = 1;
      for (int k = 1; k < MOST_RUNS; k++) {
        // (1 − γ)^k/(γ^(−η) − 1)·∏ (ℓ + η)/(ℓ + 1) over ℓ < k, and (1 − γ)^k/(k·ln(1/γ)) for η = 0.
        if (eta == 0) {
          all[k] = Math.pow(1 - gamma, k) / (k * Math.log(1 / gamma));
        } else {
          term *= (k - 1 + eta) / k;
          all[k] = Math.pow(1 - gamma, k) / (Math.pow(gamma, -eta) - 1) * term;
        }
      }
    }
    return new SelectionLaw(count, all);
  }

  public double mean() {
    return IntStream.range(0, probabilities.length).mapToDouble(k -> k * probabilities[k]).sum();
  }

  /** That the best of K runs lies where a run is up to {@code upTo} and not up to {@code below}. */
  public double best(double below, double upTo) {
    double sum = 0;
    double low = below;
    double high = upTo;
    for (int k = 1; k < probabilities.length && high > 0; k++) {
      sum += probabilities[k] * (high - low);
      low *= below;
      high *= upTo;
    }
    return sum;
  }

  /**
   * What is released of runs whose outcomes are ranked by their index; the last entry is no run.
   */
  public double[] released(double[] run) {
    return released(run, new boolean[run.length]);
  }

  /**
   * The same where some outcomes tie with the one before them: of these each is released as often
   * as it is run.
   */
  public double[] released(double[] run, boolean[] ties) {
    double[] best = new double[run.length + 1];
    double below = 0;
    for (int from = 0; from < run.length; ) {
      int to = from + 1;
      while (to < run.length && ties[to]) {
        to++;
      }
      double mass = Arrays.stream(run, from, to).sum();
      double group = best(below, below + mass);
      for (int i = from; i < to; i++) {
        best[i] = mass > 0 ? group * run[i] / mass : 0;
      }
      below += mass;
      from = to;
    }
    best[run.length] = probabilities[0];
    return best;
  }

  @Override
  public String toString() {
    return count.toString();
  }
}
