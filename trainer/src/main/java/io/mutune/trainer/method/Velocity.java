package io.mutune.trainer.method;

import io.mutune.trainer.gradient.ClipNorm;
import java.util.Optional;

/**
 * What a method adds to the velocity that its iterates remember: noisy sums, scaled, and what
 * released weights and public rows say themselves. The latter is taken off, exactly for a single
 * step and as it is at the first of several.
 */
public interface Velocity {
  /** β in {@code v ← βv + …}. */
  double momentum();

  /**
   * Finds the noisy sum of one step, or of several that follow each other.
   *
   * @param weights before the first step, {@code [features, columns]}
   * @param gained by the velocity in all steps, the same shape
   * @param parts how much each step counts in that
   */
  ReleasedSum releasedSum(double[] weights, double[] gained, Parts parts);

  /**
   * Means of clipped gradients, as NoisyGD and DP-SGD with all its kin have them.
   *
   * @param momentum β
   * @param clip C
   * @param divisor of the noisy sum
   * @param share of the rows that takes part in a step on average; 1 for all of them
   * @param decay λ/N beside the mean; 0 for none
   * @param reference where the decay points; no values for zero weights
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record OfMeans(
      double momentum,
      ClipNorm clip,
      double divisor,
      double share,
      double decay,
      double[] reference)
      implements Velocity {
    @Override
    public ReleasedSum releasedSum(double[] weights, double[] gained, Parts parts) {
      double[] sum = new double[gained.length];
      for (int i = 0; i < sum.length; i++) {
        double away = reference.length == 0 ? weights[i] : weights[i] - reference[i];
        sum[i] = (gained[i] - parts.sum() * decay * away) * divisor;
      }
      double counted = share * parts.sum();
      boolean single = parts.count() == 1;
      return new ReleasedSum(
          clip, weights, sum, counted, parts.squares(), Optional.empty(), single);
    }
  }

  /**
   * How much each of some steps counts in what momentum makes of them.
   *
   * @param sum Σβ^j
   * @param squares Σβ^2j
   */
  record Parts(int count, double sum, double squares) {
    /** Of so many steps. */
    public static Parts of(double momentum, int count) {
      double sum = 0;
      double squares = 0;
      for (int j = 0; j < count; j++) {
        double part = Math.pow(momentum, j);
        sum += part;
        squares += part * part;
      }
      return new Parts(count, sum, squares);
    }
  }
}
