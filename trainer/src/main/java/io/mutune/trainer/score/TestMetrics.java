package io.mutune.trainer.score;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;

/** What a released model is worth on public rows, exactly: costs nothing. */
public sealed interface TestMetrics permits ClassMetrics, TargetMetrics {
  /** How many rows were judged. */
  long rows();

  /**
   * All figures of a model.
   *
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  static TestMetrics of(LinearModel model, PublicRows rows) throws UnsuitableRowsException {
    if (rows.blocks().columns() != model.features()) {
      throw new UnsuitableRowsException(rows.blocks().columns(), model.features());
    }
    return rows.blocks().realTargets()
        ? TargetMetrics.of(model, rows.blocks())
        : ClassMetrics.of(model, rows.blocks());
  }
}
