package io.mutune.trainer.attack;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.ReleasedSum;
import io.mutune.trainer.method.Velocity;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run tells whoever sees its iterates, where they remember {@code v ← βv + g}: weights at
 * which rows were asked, and the noisy sums that came back. Of several steps between two iterates
 * it is one sum over them that can be told, Σ β^(k−j)·g_j.
 *
 * @param sigma σ, the noise's deviation over a step's clip norm
 * @param steps in order
 */
public record ReleasedDescent(NoiseMultiplier sigma, List<ReleasedSum> steps) {
  public ReleasedDescent {
    steps = List.copyOf(steps);
  }

  /**
   * From all iterates of a run.
   *
   * @param iterates as released, in order, none lost between them; each remembers v, and may
   *     remember more after it
   * @param start the weights before the first step
   * @param velocity what v is made of
   */
  public static ReleasedDescent of(
      List<Iterate> iterates, double[] start, NoiseMultiplier sigma, Velocity velocity) {
    List<ReleasedSum> told = new ArrayList<>();
    double[] weights = start;
    double[] before = new double[start.length];
    int asked = 0;
    for (Iterate iterate : iterates) {
      int count = iterate.asked() - asked;
      double[] after = iterate.memory();
      if (count < 1 || iterate.weights().length != start.length || after.length < start.length) {
        throw new IllegalArgumentException("these are not the iterates of descent with momentum");
      }
      double kept = Math.pow(velocity.momentum(), count);
      double[] gained = new double[start.length];
      for (int i = 0; i < gained.length; i++) {
        gained[i] = after[i] - kept * before[i];
      }
      told.add(
          velocity.releasedSum(weights, gained, Velocity.Parts.of(velocity.momentum(), count)));
      weights = iterate.weights();
      before = after;
      asked = iterate.asked();
    }
    return new ReleasedDescent(sigma, told);
  }

  /** σC·√squares: of each of the told sum's own numbers. */
  double deviation(ReleasedSum told) {
    return sigma.value() * told.clip().value() * Math.sqrt(told.squares());
  }
}
