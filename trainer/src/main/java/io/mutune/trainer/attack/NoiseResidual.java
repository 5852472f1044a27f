package io.mutune.trainer.attack;

import io.mutune.trainer.model.ClippedSums;
import io.mutune.trainer.model.Loss;

/**
 * What is left of a run's noisy sums when every row is known: the noise itself, which on a sound
 * program is independent draws of N(0, 1) in units of what was charged.
 */
public final class NoiseResidual {
  private final KnownRows rows;
  private final Loss loss;
  private final int classes;
  private final ClippedSums engine;

  /**
   * @param rows all that took part, mapped as training has them
   */
  public NoiseResidual(KnownRows rows, Loss loss, int classes, ClippedSums engine) {
    this.rows = rows;
    this.loss = loss;
    this.classes = classes;
    this.engine = engine;
  }

  /**
   * All steps' numbers one after the other. Exact where each iterate follows one step; of several,
   * the later ones asked at weights that were not seen.
   */
  public double[] of(ReleasedDescent run) {
    RowGradients gradients = new RowGradients(loss, classes, run.clipNorm());
    int length = run.steps().isEmpty() ? 0 : run.steps().get(0).sum().length;
    double[] residual = new double[run.steps().size() * length];
    int at = 0;
    for (ReleasedDescent.Told told : run.steps()) {
      double[] sum = gradients.sum(engine, rows, told.weights());
      double deviation = run.deviation() * Math.sqrt(told.squares());
      for (int i = 0; i < length; i++) {
        residual[at++] = (told.sum()[i] - told.parts() * sum[i]) / deviation;
      }
    }
    return residual;
  }

  /**
   * How much of each row is in the sums, in clip norms: the part of what the other rows leave over
   * that lies along its gradient, 1 at most on average, and noise of deviation σ around it. A row
   * that was not clipped stands out.
   *
   * @return {@code [steps][rows]}
   */
  public double[][] rowsIn(ReleasedDescent run) {
    RowGradients gradients = new RowGradients(loss, classes, run.clipNorm());
    double[][] in = new double[run.steps().size()][rows.count()];
    for (int t = 0; t < in.length; t++) {
      ReleasedDescent.Told told = run.steps().get(t);
      double[] sum = gradients.sum(engine, rows, told.weights());
      double[] left = new double[sum.length];
      for (int i = 0; i < left.length; i++) {
        left[i] = told.sum()[i] / told.parts() - sum[i];
      }
      for (int i = 0; i < rows.count(); i++) {
        double norm = gradients.norm(rows.row(i), rows.label(i), told.weights());
        double along = gradients.along(rows.row(i), rows.label(i), told.weights(), left);
        in[t][i] = norm == 0 ? 0 : (norm + along / norm) / run.clipNorm().value();
      }
    }
    return in;
  }
}
