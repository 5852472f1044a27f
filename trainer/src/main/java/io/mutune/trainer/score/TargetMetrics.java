package io.mutune.trainer.score;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.TargetRange;
import io.mutune.trainer.model.LinearModel;
import java.util.OptionalDouble;

/**
 * Figures of a model of real targets, which here are from −1 to 1, as are predictions.
 *
 * @param absolute the mean absolute error
 * @param square the mean squared error
 * @param r2 1 − {@code square} over the targets' variance; empty where all targets are equal
 * @param baseline the mean absolute error of saying 0, the middle of the public bounds
 */
public record TargetMetrics(
    long rows, Estimate absolute, double square, OptionalDouble r2, double baseline)
    implements TestMetrics {

  static TargetMetrics of(LinearModel model, RowBlocks blocks) {
    long rows = 0;
    double errors = 0;
    double squares = 0;
    double targets = 0;
    double targetSquares = 0;
    double distances = 0;
    for (RowBlocks.Block block : blocks.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        int label = block.labels()[i];
        if (label != RowBlocks.NO_LABEL) {
          double target = TargetRange.value(label);
          double error =
              Math.abs(model.predictTarget(block.features(), i * model.features()) - target);
          rows++;
          errors += error;
          squares += error * error;
          targets += target;
          targetSquares += target * target;
          distances += Math.abs(target);
        }
      }
    }
    long all = Math.max(1, rows);
    double mean = targets / all;
    double variance = targetSquares / all - mean * mean;
    return new TargetMetrics(
        rows,
        Estimate.ofMean(errors, squares, all),
        squares / all,
        variance > 0 ? OptionalDouble.of(1 - squares / all / variance) : OptionalDouble.empty(),
        distances / all);
  }
}
