package io.mutune.example;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.external.ProgramRun;
import io.mutune.trainer.external.TrainerProgram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Softmax regression, as a program of its own that {@code method: external} starts. */
final class OwnTrainer implements TrainerProgram {
  public static void main(String[] arguments) throws IOException {
    TrainerProgram.serve(new OwnTrainer());
  }

  @Override
  public byte[] train(ProgramRun run) throws IOException {
    RowBlocks rows = run.data();
    double[] weights = new double[rows.columns() * run.columns()];
    double[] velocity = new double[weights.length];
    run.restored()
        .ifPresent(kept -> ByteBuffer.wrap(kept).asDoubleBuffer().get(weights).get(velocity));
    while (run.hasNext()) {
      ProgramRun.Step step = run.begin(weights.length); // rows are read for it only now
      double[] sum = clippedSum(rows, step.sample(), weights, run.columns(), run.clipNorm());
      for (int i = 0; i < sum.length; i++) {
        double gradient = (sum[i] + step.noise()[i]) / run.expectedRows();
        velocity[i] = run.momentum() * velocity[i] + gradient;
        weights[i] -= run.learningRate() * velocity[i];
      }
      run.done(() -> bytes(weights, velocity)); // asked for where a checkpoint is due
    }
    return bytes(weights);
  }

  @Override
  public float[] scores(byte[] model, RowBlocks rows, int columns) {
    double[] weights = new double[rows.columns() * columns];
    ByteBuffer.wrap(model).asDoubleBuffer().get(weights);
    float[] scores = new float[Math.toIntExact(rows.rows()) * columns];
    int at = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int row = 0; row < block.rows(); row++) {
        for (double score : scores(block.features(), row * rows.columns(), weights, columns)) {
          scores[at++] = (float) score;
        }
      }
    }
    return scores;
  }

  /** The gradient of a row is the product of the row and its residual, and so is its norm. */
  private static double[] clippedSum(
      RowBlocks rows, int[] sample, double[] weights, int columns, double clip) {
    double[] sum = new double[rows.columns() * columns];
    for (int place : sample) {
      RowBlocks.Block block = rows.blocks().get(place / RowBlocks.BLOCK_ROWS);
      int label = block.labels()[place % RowBlocks.BLOCK_ROWS];
      int from = place % RowBlocks.BLOCK_ROWS * rows.columns();
      double[] residual = softmax(scores(block.features(), from, weights, columns));
      if (label == RowBlocks.NO_LABEL) {
        continue;
      }
      residual[label] -= 1;
      double squares = 0;
      for (int j = 0; j < rows.columns(); j++) {
        squares += (double) block.features()[from + j] * block.features()[from + j];
      }
      // Below C by more than sums in doubles are off; Mutune's own have the same margin.
      double most = clip * (1 - 2.65e-4);
      double factor = Math.min(1, most / Math.sqrt(squares * squares(residual)));
      for (int i = 0; i < sum.length && Double.isFinite(factor); i++) {
        sum[i] += factor * block.features()[from + i / columns] * residual[i % columns];
      }
    }
    return sum;
  }

  private static double[] scores(float[] features, int from, double[] weights, int columns) {
    double[] scores = new double[columns];
    for (int i = 0; i < weights.length; i++) {
      scores[i % columns] += features[from + i / columns] * weights[i];
    }
    return scores;
  }

  private static double[] softmax(double[] scores) {
    double greatest = Double.NEGATIVE_INFINITY;
    for (double score : scores) {
      greatest = Math.max(greatest, score);
    }
    double all = 0;
    for (int c = 0; c < scores.length; c++) {
      scores[c] = Math.exp(scores[c] - greatest);
      all += scores[c];
    }
    for (int c = 0; c < scores.length; c++) {
      scores[c] /= all;
    }
    return scores;
  }

  private static double squares(double[] values) {
    double squares = 0;
    for (double value : values) {
      squares += value * value;
    }
    return squares;
  }

  private static byte[] bytes(double[]... parts) {
    int count = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    ByteBuffer bytes = ByteBuffer.allocate(count * Double.BYTES);
    for (double[] part : parts) {
      bytes.asDoubleBuffer().put(part);
      bytes.position(bytes.position() + part.length * Double.BYTES);
    }
    return bytes.array();
  }
}
