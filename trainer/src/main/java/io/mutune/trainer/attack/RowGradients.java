package io.mutune.trainer.attack;

import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedSum;
import io.mutune.trainer.model.ClippedSums;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.model.RowSample;
import java.util.Arrays;

/** Clipped gradients of known rows, one by one and summed, at weights that were released. */
final class RowGradients {
  private final Loss loss;
  private final ClipNorm clip;

  RowGradients(Loss loss, ClipNorm clip) {
    this.loss = loss;
    this.clip = clip;
  }

  /** Sums over these rows, for steps of any clip norm. */
  static ClippedSum open(ClippedSums engine, KnownRows rows, Loss loss, int classes) {
    return engine.open(rows.open(), loss, classes, ClipNorm.of(1));
  }

  /** Σ clip_C(∇ℓ(w)). */
  double[] sum(ClippedSum rows, double[] weights) {
    double[] sum = new double[weights.length];
    rows.compute(weights, clip, RowSample.ALL, sum);
    return sum;
  }

  /**
   * The row's part in the direction: ⟨clip_C(∇ℓ(w)), direction⟩ for x ⊗ r is Σ r_c·(xᵀ
   * direction)_c.
   */
  double along(float[] row, int label, double[] weights, double[] direction) {
    double[] residual = logits(row, weights);
    double[] projected = logits(row, direction);
    loss.toResidual(residual, label);
    double squares = 0;
    double product = 0;
    for (int c = 0; c < residual.length; c++) {
      squares += residual[c] * residual[c];
      product += residual[c] * projected[c];
    }
    return clip.factor(norm(row) * Math.sqrt(squares)) * product;
  }

  /** ‖clip_C(∇ℓ(w))‖. */
  double norm(float[] row, int label, double[] weights) {
    double[] residual = logits(row, weights);
    loss.toResidual(residual, label);
    double whole = norm(row) * Math.sqrt(Arrays.stream(residual).map(r -> r * r).sum());
    return clip.factor(whole) * whole;
  }

  /** xᵀ W for W of shape {@code [features, columns]}. */
  static double[] logits(float[] row, double[] weights) {
    int columns = weights.length / row.length;
    double[] logits = new double[columns];
    for (int j = 0; j < row.length; j++) {
      if (row[j] != 0) {
        for (int c = 0; c < columns; c++) {
          logits[c] += row[j] * weights[j * columns + c];
        }
      }
    }
    return logits;
  }

  private static double norm(float[] row) {
    double squares = 0;
    for (float value : row) {
      squares += (double) value * value;
    }
    return Math.sqrt(squares);
  }
}
