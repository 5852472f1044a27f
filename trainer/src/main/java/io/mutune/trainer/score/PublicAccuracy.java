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
    Counts counts = rows.blocks().realTargets() ? Counts.closeness() : Counts.right();
    return CountSum.of(counts, model, rows.blocks())[0] / units(rows);
  }

  /** How many people, or rows, there are; at least one. */
  static long units(PublicRows rows) {
    long count =
        rows.blocks().units().map(units -> (long) units.count()).orElseGet(rows.blocks()::rows);
    if (count == 0) {
      throw new IllegalArgumentException("a score needs at least one public row");
    }
    return count;
  }
}
