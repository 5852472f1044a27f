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
  /** The greatest error: targets and predictions are from −1 to 1. */
  private static final double MOST = 2;

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
    DoubleStream.Builder predictions = DoubleStream.builder();
    DoubleStream.Builder labels = DoubleStream.builder();
    for (RowBlocks.Block block : blocks.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        if (block.labels()[i] != RowBlocks.NO_LABEL) {
          predictions.add(model.predictTarget(block.features(), i * model.features()));
          labels.add(TargetRange.value(block.labels()[i]));
        }
      }
    }
    return of(predictions.build().toArray(), labels.build().toArray());
  }

  private static TargetMetrics of(double[] said, double[] targets) {
    double errors = 0;
    double squares = 0;
    double fourths = 0;
    double sum = 0;
    double distances = 0;
    for (int i = 0; i < said.length; i++) {
      double square = square(said[i] - targets[i]);
      errors += Math.sqrt(square);
      squares += square;
      fourths += square * square;
      sum += targets[i];
      distances += Math.abs(targets[i]);
    }
    long all = Math.max(1, said.length);
    double mean = sum / all;
    double variance = variance(targets, mean);
    return new TargetMetrics(
        said.length,
        Estimate.ofMean(errors, squares, all, MOST),
        Estimate.ofMean(squares, fourths, all, MOST * MOST),
        variance > 0
            ? Optional.of(explained(said, targets, mean, variance, squares / all))
            : Optional.empty(),
        distances / all,
        TargetSpread.of(said, targets));
  }

  /** 0 where all targets are equal, though their mean is rounded. */
  private static double variance(double[] targets, double mean) {
    double squares = 0;
    boolean differ = false;
    for (double target : targets) {
      squares += square(target - mean);
      differ |= target != targets[0];
    }
    return differ ? squares / targets.length : 0;
  }

  /** By the delta method: a ratio of means varies as the mean of each row's pull on it does. */
  private static Estimate explained(
      double[] said, double[] targets, double mean, double variance, double square) {
    double pulls = 0;
    for (int i = 0; i < said.length; i++) {
      double off = targets[i] - mean;
      double pull = (square(said[i] - targets[i]) - square * off * off / variance) / variance;
      pulls += pull * pull;
    }
    double half = Estimate.half(pulls, said.length);
    double value = 1 - square / variance;
    return new Estimate(value, value - half, Math.min(1, value + half));
  }

  private static double square(double error) {
    return error * error;
  }
}
