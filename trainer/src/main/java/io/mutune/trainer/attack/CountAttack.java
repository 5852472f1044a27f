package io.mutune.trainer.attack;

import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.score.Counts;
import io.mutune.trainer.score.UnsuitableRowsException;

/** What counts have of people who are known. */
public final class CountAttack {
  private CountAttack() {}

  /**
   * The vector that each person adds: where people are clipped the mean of their rows', else the
   * sum.
   *
   * @param rows mapped as the model has them
   */
  public static double[][] vectors(Counts counts, LinearModel model, KnownRows rows) {
    double[][] vectors = new double[rows.people().count()][];
    for (int person = 0; person < vectors.length; person++) {
      vectors[person] = sum(counts, model, rows.only(person));
    }
    return vectors;
  }

  /** What all of them add. */
  public static double[] sum(Counts counts, LinearModel model, KnownRows rows) {
    try {
      return counts.of(model, rows.asPublic());
    } catch (UnsuitableRowsException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
