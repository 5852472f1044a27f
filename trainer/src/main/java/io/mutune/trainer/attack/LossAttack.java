package io.mutune.trainer.attack;

import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;

/**
 * The threshold on the loss (Sablayrolles et al., <i>White-box vs Black-box: Bayes Optimal
 * Strategies for Membership Inference</i>, ICML 2019), as AdaMix's Figure 1 uses it, and the
 * confidence that the likelihood ratio is taken of.
 */
public final class LossAttack {
  /** Where a loss is no number: as little a sign of a member as there is. */
  private static final double WORST = -1e300;

  /** Confidences beyond e^±50 tell nothing more. */
  private static final double MOST = 50;

  private LossAttack() {}

  /**
   * −ℓ for each person, of many rows the mean: members were fitted, so theirs is the greater.
   *
   * @param rows mapped as the model has them
   */
  public static double[] scores(LinearModel model, KnownRows rows, Loss loss) {
    double[] weights = model.weights();
    return rows.means(
        row -> {
          double value = loss.value(RowGradients.logits(rows.row(row), weights), rows.label(row));
          return Double.isNaN(value) ? WORST : Math.max(WORST, -value);
        });
  }

  /**
   * ln(q/(1 − q)) with q = e^−ℓ, the probability of the label: near normal over models, which a
   * loss is not (Carlini et al., S&amp;P 2022).
   */
  public static double[] confidences(LinearModel model, KnownRows rows, Loss loss) {
    double[] scores = scores(model, rows, loss);
    for (int i = 0; i < scores.length; i++) {
      double value = -scores[i];
      double odds = -value - Math.log(-Math.expm1(-Math.max(value, 1e-300)));
      scores[i] = Math.max(-MOST, Math.min(MOST, odds));
    }
    return scores;
  }
}
