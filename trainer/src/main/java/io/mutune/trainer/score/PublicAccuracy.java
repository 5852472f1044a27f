package io.mutune.trainer.score;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;

/**
 * The fraction of public rows that a model gets right, or where targets are real 1 − the mean
 * absolute error over the width of their range: costs nothing.
 */
public final class PublicAccuracy {
  private PublicAccuracy() {}

  /**
   * In [0, 1].
   *
   * @throws IllegalArgumentException if there are no rows
   * @throws UnsuitableRowsException if they have another number of features than the model
   */
  public static double of(LinearModel model, PublicRows rows) throws UnsuitableRowsException {
    long count =
        rows.blocks().units().map(units -> (long) units.count()).orElseGet(rows.blocks()::rows);
    if (count == 0) {
      throw new IllegalArgumentException("an accuracy needs at least one public row");
    }
    return CreditSum.of(model, rows.blocks()) / count;
  }
}
