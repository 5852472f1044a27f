package io.mutune.trainer.attack;

import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.method.ReleasedSum;

/**
 * The strongest attacker of the definition, as far as noisy sums go: knows every row but which of
 * the canaries took part, takes all that is known and half of each canary off each sum, and adds up
 * how far the rest points along a canary's own clipped gradient, over the noise's variance. For
 * canaries that have nothing in common that is the logarithm of the likelihood ratio. Who knows
 * only rows that are like those that took part takes off what these lead to expect.
 *
 * @param known rows that took part, or rows like those, mapped as training has them
 * @param weight how many rows that took part each of them stands for
 * @param canaries people of whom each took part or did not, mapped likewise
 */
public record GradientAttack(
    KnownRows known,
    double weight,
    KnownRows canaries,
    Loss loss,
    int classes,
    ClippedSums engine) {
  /** Where the rows that are known took part for certain. */
  public GradientAttack(
      KnownRows known, KnownRows canaries, Loss loss, int classes, ClippedSums engine) {
    this(known, 1, canaries, loss, classes, engine);
  }

  /**
   * One a canary, which is a person; above 0 where it is likelier that it took part. Scores of runs
   * add up.
   */
  public double[] scores(ReleasedDescent run) {
    double[] scores = new double[canaries.people().count()];
    try (ClippedSum certain = RowGradients.open(engine, known, loss, classes);
        ClippedSum perhaps = RowGradients.open(engine, canaries, loss, classes)) {
      for (ReleasedSum told : run.steps()) {
        RowGradients gradients = new RowGradients(loss, told.clip());
        double[] left = left(gradients, told, certain, perhaps);
        double deviation = run.deviation(told);
        double scale = told.parts() / (deviation * deviation);
        for (int i = 0; i < scores.length; i++) {
          scores[i] += scale * gradients.along(canaries, i, told.weights(), left);
        }
      }
    }
    return scores;
  }

  private double[] left(
      RowGradients gradients, ReleasedSum told, ClippedSum certain, ClippedSum perhaps) {
    double[] expected = gradients.sum(certain, told.weights());
    double[] halves = gradients.sum(perhaps, told.weights());
    for (int i = 0; i < expected.length; i++) {
      expected[i] = weight * expected[i] + halves[i] / 2;
    }
    double[] asked = told.asked(expected);
    double[] left = new double[asked.length];
    for (int i = 0; i < left.length; i++) {
      left[i] = told.sum()[i] - told.parts() * asked[i];
    }
    return left;
  }
}
