package io.mutune.trainer.score;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.model.LinearModel;

/** How many rows a model gets right; as private as the rows. */
final class CorrectCount {
  private CorrectCount() {}

  /**
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  static long of(LinearModel model, RowBlocks rows) throws UnsuitableRowsException {
    if (rows.columns() != model.features()) {
      throw new UnsuitableRowsException(rows.columns(), model.features());
    }
    return rows.blocks().parallelStream().mapToLong(block -> ofBlock(model, block)).sum();
  }

  private static long ofBlock(LinearModel model, RowBlocks.Block block) {
    long correct = 0;
    for (int i = 0; i < block.rows(); i++) {
      if (model.predict(block.features(), i * model.features()) == block.labels()[i]) {
        correct++;
      }
    }
    return correct;
  }
}
