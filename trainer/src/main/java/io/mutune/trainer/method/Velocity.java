package io.mutune.trainer.method;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.LeadingDirections;
import io.mutune.trainer.model.PublicGradients;
import java.util.Optional;

/**
 * What a method adds to the velocity that its iterates remember: noisy sums, scaled, and what
 * released weights and public rows say themselves. The latter is taken off, exactly for a single
 * step and as it is at the first of several.
 */
public sealed interface Velocity {
  /** β in {@code v ← βv + …}. */
  double momentum();

  /**
   * Finds the noisy sums.
   *
   * @param weights before the first step, {@code [features, columns]}
   * @param gained by the velocity in all steps, the same shape
   */
  ReleasedSum told(double[] weights, double[] gained, Parts parts);

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
    public ReleasedSum told(double[] weights, double[] gained, Parts parts) {
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
   * (G_pub + U·G̃ + λw)/(τN) of AdaMix, of which all but G̃ follows from public rows and the
   * weights.
   *
   * @param rows the public ones, mapped as training has them
   */
  record OfAdaMix(AdaMix method, Problem problem, PublicRows rows) implements Velocity {
    @Override
    public double momentum() {
      return method.momentum();
    }

    @Override
    public ReleasedSum told(double[] weights, double[] gained, Parts parts) {
      double[] ofPublic = new double[weights.length];
      double[] norms =
          new PublicGradients(rows, problem.loss(), problem.classes()).compute(weights, ofPublic);
      ClipNorm tau = method.clip().at(norms);
      double scale = tau.value() * problem.publicRows();
      double[] sum = new double[gained.length];
      for (int i = 0; i < sum.length; i++) {
        double known =
            (method.publicGradient() ? ofPublic[i] : 0) + method.weightDecay() * weights[i];
        sum[i] = gained[i] * scale - parts.sum() * known;
      }
      int columns = problem.columns();
      Optional<LeadingDirections> basis =
          method.directions().isPresent()
              ? Optional.of(
                  LeadingDirections.of(
                      ofPublic, weights.length / columns, columns, method.directions().getAsInt()))
              : Optional.empty();
      boolean single = parts.count() == 1;
      return new ReleasedSum(tau, weights, sum, parts.sum(), parts.squares(), basis, single);
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
