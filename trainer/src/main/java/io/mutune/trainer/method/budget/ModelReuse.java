package io.mutune.trainer.method.budget;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.PublicGradients;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.model.LinearModel;

/**
 * Fits a released model to public rows without going far from it: argmin (1/n)Σℓ(w) + λ‖w − w_T‖²
 * (Wang and Zhou 2020, Algorithm 1, line 25). Reads no private row.
 *
 * <p>A fixed number of subgradient steps of size 1/(λ(t + 1)), and their average weighted by t,
 * which is within O(1/(λT)) of the least even where the loss has kinks (Lacoste-Julien, Schmidt and
 * Bach 2012). Steps are no longer than is stable for a smooth loss.
 */
final class ModelReuse {
  private static final int STEPS = 2000;

  private ModelReuse() {}

  /**
   * The fitted model.
   *
   * @param weight λ, above 0
   */
  static LinearModel fitted(LinearModel released, PublicRows rows, Problem problem, double weight) {
    Require.that(weight > 0 && Double.isFinite(weight), "weight of reuse", weight);
    PublicGradients gradients = new PublicGradients(rows, problem.loss(), problem.classes());
    double[] anchor = released.weights();
    double[] weights = anchor.clone();
    double[] average = anchor.clone();
    double[] gradient = new double[anchor.length];
    double curvature =
        Smoothness.of(problem.loss(), problem.classes()).curvature()
            * greatestSquare(rows.blocks());
    double stable = Double.isInfinite(curvature) ? 1 / weight : 1 / (curvature + 2 * weight);
    long count = rows.blocks().rows();
    for (int t = 1; t <= STEPS; t++) {
      gradients.compute(weights, gradient);
      double rate = Math.min(stable, 1 / (weight * (t + 1)));
      double share = 2.0 / (t + 1);
      for (int i = 0; i < weights.length; i++) {
        weights[i] -= rate * (gradient[i] / count + 2 * weight * (weights[i] - anchor[i]));
        average[i] += share * (weights[i] - average[i]);
      }
    }
    return new LinearModel(released.features(), released.columns(), average);
  }

  private static double greatestSquare(RowBlocks rows) {
    double greatest = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        double squares = 0;
        for (int j = i * rows.columns(); j < (i + 1) * rows.columns(); j++) {
          squares += (double) block.features()[j] * block.features()[j];
        }
        greatest = Math.max(greatest, squares);
      }
    }
    return greatest;
  }
}
