package io.mutune.trainer.attack;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.model.ClipNorm;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run of gradient descent with momentum tells whoever sees its iterates: weights at which
 * rows were asked, and the noisy sums that came back. Of several steps between two iterates it is
 * one sum over them that can be told, Σ β^(k−j)·g_j.
 *
 * @param clipNorm C
 * @param sigma σ, the noise's deviation over C
 * @param publicRows N, by which sums were divided
 * @param steps in order
 */
public record ReleasedDescent(
    ClipNorm clipNorm, NoiseMultiplier sigma, long publicRows, List<Told> steps) {
  public ReleasedDescent {
    steps = List.copyOf(steps);
  }

  /**
   * What one pair of iterates tells.
   *
   * @param weights before the first of its steps, {@code [features, columns]}
   * @param sum the noisy sums times N, each times its part, added up; the same shape
   * @param parts how much a row's gradient counts in it: the sum of the parts
   * @param squares the sum of their squares: the noise has the deviation σC·√squares
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Told(double[] weights, double[] sum, double parts, double squares) {}

  /**
   * From the iterates of {@code v ← βv + g/N, w ← w − ηv}, which remember v.
   *
   * @param iterates as released, in order, none lost between them
   * @param start the weights before the first step
   * @param momentum β
   */
  public static ReleasedDescent ofMomentum(
      List<Iterate> iterates,
      double[] start,
      double momentum,
      ClipNorm clipNorm,
      NoiseMultiplier sigma,
      long publicRows) {
    List<Told> told = new ArrayList<>();
    double[] weights = start;
    double[] before = new double[start.length];
    int asked = 0;
    for (Iterate iterate : iterates) {
      int count = iterate.asked() - asked;
      if (count < 1 || iterate.memory().length != start.length) {
        throw new IllegalArgumentException("these are not the iterates of descent with momentum");
      }
      double[] after = iterate.memory();
      double kept = Math.pow(momentum, count);
      double[] sum = new double[start.length];
      for (int i = 0; i < sum.length; i++) {
        sum[i] = (after[i] - kept * before[i]) * publicRows;
      }
      double parts = 0;
      double squares = 0;
      for (int j = 0; j < count; j++) {
        double part = Math.pow(momentum, j);
        parts += part;
        squares += part * part;
      }
      told.add(new Told(weights, sum, parts, squares));
      weights = iterate.weights();
      before = after;
      asked = iterate.asked();
    }
    return new ReleasedDescent(clipNorm, sigma, publicRows, told);
  }

  /** σC for one sum. */
  double deviation() {
    return sigma.value() * clipNorm.value();
  }
}
