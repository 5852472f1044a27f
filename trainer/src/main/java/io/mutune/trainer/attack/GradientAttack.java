package io.mutune.trainer.attack;

import io.mutune.trainer.model.ClippedSums;
import io.mutune.trainer.model.Loss;

/**
 * The strongest attacker of the definition, as far as noisy sums go: knows every row but which of
 * the canaries took part, takes all that is known and half of each canary off each sum, and adds up
 * how far the rest points along a canary's own clipped gradient, over the noise's variance. For
 * canaries that have nothing in common that is the logarithm of the likelihood ratio.
 */
public final class GradientAttack {
  private final KnownRows known;
  private final KnownRows canaries;
  private final Loss loss;
  private final int classes;
  private final ClippedSums engine;

  /**
   * @param known rows that took part for certain, mapped as training has them
   * @param canaries rows of which each took part or did not, mapped likewise
   */
  public GradientAttack(
      KnownRows known, KnownRows canaries, Loss loss, int classes, ClippedSums engine) {
    this.known = known;
    this.canaries = canaries;
    this.loss = loss;
    this.classes = classes;
    this.engine = engine;
  }

  /** One a canary; above 0 where it is likelier that it took part. Scores of runs add up. */
  public double[] scores(ReleasedDescent run) {
    RowGradients gradients = new RowGradients(loss, classes, run.clipNorm());
    double[] scores = new double[canaries.count()];
    for (ReleasedDescent.Told told : run.steps()) {
      double[] left = left(gradients, told);
      double weight = told.parts() / (told.squares() * run.deviation() * run.deviation());
      for (int i = 0; i < scores.length; i++) {
        scores[i] +=
            weight * gradients.along(canaries.row(i), canaries.label(i), told.weights(), left);
      }
    }
    return scores;
  }

  private double[] left(RowGradients gradients, ReleasedDescent.Told told) {
    double[] certain = gradients.sum(engine, known, told.weights());
    double[] perhaps = gradients.sum(engine, canaries, told.weights());
    double[] left = new double[certain.length];
    for (int i = 0; i < left.length; i++) {
      left[i] = told.sum()[i] - told.parts() * (certain[i] + perhaps[i] / 2);
    }
    return left;
  }
}
