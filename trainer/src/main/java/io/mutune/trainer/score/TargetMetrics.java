package io.mutune.trainer.score;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.model.LinearModel;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * Figures of a model of real targets, which here are from −1 to 1, as are predictions.
 *
 * @param absolute the mean absolute error
 * @param squared the mean squared error
 * @param explained R²: 1 − the mean squared error over the targets' variance; empty where all
 *     targets are equal
 * @param baseline the mean absolute error of saying 0, the middle of the public bounds
 * @param spread the targets of rows of which it says about the same
 */
public record TargetMetrics(
    long rows,
    Estimate absolute,
    Estimate squared,
    Optional<Estimate> explained,
    double baseline,
    TargetSpread spread)
    implements TestMetrics {

  /** The mean squared error. */
  public double square() {
    return squared.value();
  }

  /** R²; empty where all targets are equal. */
  public OptionalDouble r2() {
    return explained.isPresent()
        ? OptionalDouble.of(explained.get().value())
        : OptionalDouble.empty();
  }

  static TargetMetrics of(LinearModel model, RowBlocks blocks) {
    long rows = 0;
    double errors = 0;
    double squares = 0;
    double fourths = 0;
    double targets = 0;
    double distances = 0;
    for (RowBlocks.Block block : blocks.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        int label = block.labels()[i];
        if (label != RowBlocks.NO_LABEL) {
          double target = TargetRange.value(label);
          double square = square(model, block, i);
          rows++;
          errors += Math.sqrt(square);
          squares += square;
          fourths += square * square;
          targets += target;
          distances += Math.abs(target);
        }
      }
    }
    long all = Math.max(1, rows);
    double mean = targets / all;
    double variance = variance(blocks, all, mean);
    return new TargetMetrics(
        rows,
        Estimate.ofMean(errors, squares, all),
        Estimate.ofMean(squares, fourths, all).atLeast(0),
        variance > 0
            ? Optional.of(explained(model, blocks, all, mean, variance, squares / all))
            : Optional.empty(),
        distances / all,
        spread(model, blocks));
  }

  /** 0 where all targets are equal, though their mean is rounded. */
  private static double variance(RowBlocks blocks, long rows, double mean) {
    double squares = 0;
    int least = Integer.MAX_VALUE;
    int greatest = Integer.MIN_VALUE;
    for (RowBlocks.Block block : blocks.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        int label = block.labels()[i];
        if (label != RowBlocks.NO_LABEL) {
          double off = TargetRange.value(label) - mean;
          squares += off * off;
          least = Math.min(least, label);
          greatest = Math.max(greatest, label);
        }
      }
    }
    return least < greatest ? squares / rows : 0;
  }

  private static TargetSpread spread(LinearModel model, RowBlocks blocks) {
    DoubleStream.Builder said = DoubleStream.builder();
    DoubleStream.Builder targets = DoubleStream.builder();
    for (RowBlocks.Block block : blocks.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        if (block.labels()[i] != RowBlocks.NO_LABEL) {
          said.add(model.predictTarget(block.features(), i * model.features()));
          targets.add(TargetRange.value(block.labels()[i]));
        }
      }
    }
    return TargetSpread.of(said.build().toArray(), targets.build().toArray());
  }

  /** By the delta method: a ratio of means varies as the mean of each row's pull on it does. */
  private static Estimate explained(
      LinearModel model, RowBlocks blocks, long rows, double mean, double variance, double square) {
    double pulls = 0;
    for (RowBlocks.Block block : blocks.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        int label = block.labels()[i];
        if (label != RowBlocks.NO_LABEL) {
          double off = TargetRange.value(label) - mean;
          double pull = (square(model, block, i) - square * off * off / variance) / variance;
          pulls += pull * pull;
        }
      }
    }
    double half = Estimate.QUANTILE * Math.sqrt(pulls) / rows;
    double value = 1 - square / variance;
    return new Estimate(value, value - half, Math.min(1, value + half));
  }

  private static double square(LinearModel model, RowBlocks.Block block, int row) {
    double error =
        model.predictTarget(block.features(), row * model.features())
            - TargetRange.value(block.labels()[row]);
    return error * error;
  }
}
