package io.mutune.trainer.attack;

import io.mutune.trainer.attack.ReleasedDescent.Parts;
import io.mutune.trainer.attack.ReleasedDescent.Told;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.method.ClipRule;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.LeadingDirections;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.model.PublicGradients;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a method adds to the velocity that its iterates remember: noisy sums, scaled, and what
 * released weights and public rows say themselves. The latter is taken off, exactly for a single
 * step and as it is at the first of several.
 */
public sealed interface Velocity {
  /**
   * Finds the noisy sums.
   *
   * @param weights before the first step, {@code [features, columns]}
   * @param gained by the velocity in all steps, the same shape
   */
  Told told(double[] weights, double[] gained, Parts parts);

  /**
   * Means of clipped gradients, as NoisyGD and DP-SGD with all its kin have them.
   *
   * @param clip C
   * @param divisor of the noisy sum
   * @param share of the rows that takes part in a step on average; 1 for all of them
   * @param decay λ/N beside the mean; 0 for none
   * @param reference where the decay points; no values for zero weights
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record OfMeans(ClipNorm clip, double divisor, double share, double decay, double[] reference)
      implements Velocity {
    /** Without weight decay. */
    public OfMeans(ClipNorm clip, double divisor, double share) {
      this(clip, divisor, share, 0, new double[0]);
    }

    @Override
    public Told told(double[] weights, double[] gained, Parts parts) {
      double[] sum = new double[gained.length];
      for (int i = 0; i < sum.length; i++) {
        double away = reference.length == 0 ? weights[i] : weights[i] - reference[i];
        sum[i] = (gained[i] - parts.sum() * decay * away) * divisor;
      }
      boolean exact = parts.count() == 1 && share == 1;
      double counted = share * parts.sum();
      return new Told(clip, weights, sum, counted, parts.squares(), Optional.empty(), exact);
    }
  }

  /**
   * (G_pub + U·G̃ + λw)/(τN) of AdaMix, of which all but G̃ follows from public rows and the
   * weights.
   *
   * @param clip how τ is chosen
   * @param directions how many; empty for all
   * @param publicRows N, the public number of private rows
   * @param rows the public ones, mapped as training has them
   */
  record OfAdaMix(
      ClipRule clip,
      OptionalInt directions,
      boolean publicGradient,
      double weightDecay,
      long publicRows,
      PublicRows rows,
      Loss loss,
      int classes)
      implements Velocity {
    @Override
    public Told told(double[] weights, double[] gained, Parts parts) {
      double[] ofPublic = new double[weights.length];
      double[] norms = new PublicGradients(rows, loss, classes).compute(weights, ofPublic);
      ClipNorm tau = clip.at(norms);
      double scale = tau.value() * publicRows;
      double[] sum = new double[gained.length];
      for (int i = 0; i < sum.length; i++) {
        double known = (publicGradient ? ofPublic[i] : 0) + weightDecay * weights[i];
        sum[i] = gained[i] * scale - parts.sum() * known;
      }
      int columns = loss.columns(classes);
      Optional<LeadingDirections> basis =
          directions.isPresent()
              ? Optional.of(
                  LeadingDirections.of(
                      ofPublic, weights.length / columns, columns, directions.getAsInt()))
              : Optional.empty();
      boolean exact = parts.count() == 1;
      return new Told(tau, weights, sum, parts.sum(), parts.squares(), basis, exact);
    }
  }
}
