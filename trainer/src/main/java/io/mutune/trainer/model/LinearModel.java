package io.mutune.trainer.model;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import java.io.Serializable;

/**
 * Logits are the features times the weights, with no bias; fold one in as a feature that is 1.
 * Immutable.
 */
public final class LinearModel implements TrainedModel, Serializable {
  private static final long serialVersionUID = 1;

  private final int features;
  private final int columns;
  private final double[] weights;

  /**
   * @param columns the number of logits: one a class, or a single one for two classes
   * @param weights {@code [features, columns]}, row-major; copied
   */
  public LinearModel(int features, int columns, double[] weights) {
    if (features < 1 || columns < 1 || weights.length != (long) features * columns) {
      throw new IllegalArgumentException(
          "%d weights do not make a [%d, %d] model".formatted(weights.length, features, columns));
    }
    this.features = features;
    this.columns = columns;
    this.weights = weights.clone();
  }

  public static LinearModel zero(int features, int columns) {
    return new LinearModel(features, columns, new double[Math.multiplyExact(features, columns)]);
  }

  @Override
  public int features() {
    return features;
  }

  @Override
  public int columns() {
    return columns;
  }

  /** A copy, {@code [features, columns]}, row-major. */
  @Override
  public double[] weights() {
    return weights.clone();
  }

  @Override
  public Evaluated<PublicRows> on(PublicRows rows) {
    return new Evaluated<>(this, rows);
  }

  @Override
  public Evaluated<PrivateRows> on(PrivateRows rows, Runnable failed) {
    return new Evaluated<>(this, rows);
  }

  /**
   * The logits of a row, which are the model's scores.
   *
   * @param rows row-major rows of {@link #features()} values
   * @param offset where the row starts
   * @param into {@link #columns()} places, overwritten
   */
  public void score(float[] rows, int offset, double[] into) {
    Logits.compute(rows, offset, weights, into);
  }

  /** The first score held within [−1, 1], the range of a real target; 0 where it is no number. */
  public static double target(double[] scores) {
    return Double.isNaN(scores[0]) ? 0 : Math.max(-1, Math.min(1, scores[0]));
  }

  /**
   * The class of the greatest score, the first one on a tie; with one score, class 1 where it is
   * above 0.
   */
  public static int classOf(double[] scores) {
    if (scores.length == 1) {
      return scores[0] > 0 ? 1 : 0;
    }
    int best = 0;
    for (int c = 1; c < scores.length; c++) {
      best = scores[c] > scores[best] ? c : best;
    }
    return best;
  }

  /** {@link #target(double[])} of a row. */
  public double predictTarget(float[] rows, int offset) {
    return target(scores(rows, offset));
  }

  /** {@link #classOf} of a row. */
  public int predict(float[] rows, int offset) {
    return classOf(scores(rows, offset));
  }

  /** {@link #score} in an array of its own. */
  public double[] scores(float[] rows, int offset) {
    double[] scores = new double[columns];
    score(rows, offset, scores);
    return scores;
  }
}
