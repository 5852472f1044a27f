package io.mutune.trainer.score;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;

/** What a released model is worth: on public rows exactly, or on private ones by charged counts. */
public sealed interface TestMetrics
    permits ClassMetrics, TargetMetrics, NoisyTestMetrics, GroupedMetrics {
  /** How many rows were judged; of private ones the public number. */
  long rows();

  /**
   * All figures of a model on public rows, which cost nothing.
   *
   * @param loss that it was trained by
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  static TestMetrics of(LinearModel model, Loss loss, PublicRows rows)
      throws UnsuitableRowsException {
    if (rows.blocks().columns() != model.features()) {
      throw new UnsuitableRowsException(rows.blocks().columns(), model.features());
    }
    return rows.blocks().realTargets()
        ? TargetMetrics.of(model, rows.blocks())
        : ClassMetrics.of(model, loss, rows.blocks());
  }
}
