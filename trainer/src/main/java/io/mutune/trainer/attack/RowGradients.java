package io.mutune.trainer.attack;

import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.Loss;
import java.util.Arrays;

/** Clipped gradients of known people, one by one and summed, at weights that were released. */
record RowGradients(Loss loss, ClipNorm clip) {
  /** Sums over these rows, for steps of any clip norm. */
  static ClippedSum open(ClippedSums engine, KnownRows rows, Loss loss, int classes) {
    return engine.open(rows.open(), loss, classes, ClipNorm.of(1));
  }

  /** Σ clip_C(∇ℓ(w)). */
  double[] sum(ClippedSum rows, double[] weights) {
    return sum(rows, weights, RowSample.ALL);
  }

  /** Likewise over a sample. */
  double[] sum(ClippedSum rows, double[] weights, RowSample sample) {
    double[] sum = new double[weights.length];
    rows.compute(weights, clip, sample, sum);
    return sum;
  }

  /**
   * A person's part in the direction: ⟨clip_C(∇ℓ(w)), direction⟩ for x ⊗ r is Σ r_c·(xᵀ
   * direction)_c, summed over the person's rows.
   */
  double along(KnownRows rows, int person, double[] weights, double[] direction) {
    if (rows.clipsPeople() && rows.people().size(person) > 1) {
      return dot(ofPerson(rows, person, weights), direction);
    }
    double along = 0;
    for (int i = 0; i < rows.people().size(person); i++) {
      int row = rows.people().row(person, i);
      double[] residual = residual(rows, row, weights);
      double[] projected = logits(rows.row(row), direction);
      double factor = factor(rows, length(rows.row(row), residual));
      along += factor * dot(residual, projected);
    }
    return along;
  }

  /** What a person adds to a step's sum. */
  private double[] ofPerson(KnownRows rows, int person, double[] weights) {
    double[] sum = new double[weights.length];
    double ofRows = 0;
    for (int i = 0; i < rows.people().size(person); i++) {
      int row = rows.people().row(person, i);
      double[] residual = residual(rows, row, weights);
      double length = length(rows.row(row), residual);
      if (Double.isFinite(length)) {
        add(rows.row(row), residual, rows.clipsPeople() ? 1 : clip.factor(length), sum);
        ofRows += length;
      }
    }
    if (rows.clipsPeople()) {
      double factor = clip.unitFactor(EuclideanNorm.of(sum), ofRows);
      Arrays.setAll(sum, w -> factor * sum[w]);
    }
    return sum;
  }

  /** Of a row that is clipped by itself. */
  private double factor(KnownRows rows, double length) {
    if (!rows.clipsPeople()) {
      return clip.factor(length);
    }
    return Double.isFinite(length) ? clip.unitFactor(length, length) : 0;
  }

  private static void add(float[] row, double[] residual, double factor, double[] sum) {
    for (int j = 0, w = 0; j < row.length; j++) {
      for (int c = 0; c < residual.length; c++, w++) {
        sum[w] += factor * row[j] * residual[c];
      }
    }
  }

  private double[] residual(KnownRows rows, int row, double[] weights) {
    double[] residual = logits(rows.row(row), weights);
    loss.toResidual(residual, rows.label(row));
    return residual;
  }

  /** ‖x ⊗ r‖. */
  private static double length(float[] row, double[] residual) {
    return EuclideanNorm.of(row, 0, row.length) * EuclideanNorm.of(residual);
  }

  private static double dot(double[] one, double[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
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
}
