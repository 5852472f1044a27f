package io.mutune.trainer.gradient;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.Logits;
import java.util.Arrays;

/**
 * What a training run that was charged for any row has cost each row of this data set: μ(i) = √(Σ_t
 * ‖clip_τ(g_i(w_t))‖²/τ²)/σ of Golatkar et al., <i>Mixed Differential Privacy in Computer
 * Vision</i> (AdaMix, CVPR 2022), Proposition 14. A row whose gradients stay small has lost less
 * than the charge. Of people of many rows it is each person's, by the clipped sum of their
 * gradients.
 *
 * <p><strong>The figures are private</strong>: row i's follows from row i, and from nothing that a
 * mechanism released alone. They are for the data's owner, and are not to be stored, served or
 * shown beside a release. Where a method projects its gradients these are upper bounds, since a
 * projection makes no gradient longer. Every step of every row also has {@link ClipNorm#MARGIN}, of
 * a person {@link ClipNorm#MARGIN_OF_UNITS}, the room for rounding in which a sum may move whatever
 * the row is; gradients are taken in double, so the figures are for sums of an engine in double.
 *
 * <p>Belongs to one thread.
 */
public final class PerInstancePrivacy {
  /**
   * Above the rounding of norms and of a sum over a million steps, so that μ is never too small.
   */
  private static final double UP = 1 + 1e-9;

  private final RowBlocks rows;
  private final Loss loss;
  private final int classes;
  private final int columns;
  private final double[] squares;

  /**
   * Before the first step.
   *
   * @throws IllegalArgumentException if the loss is not made for so many classes
   */
  public PerInstancePrivacy(PrivateRows rows, Loss loss, int classes) {
    this.rows = rows.blocks();
    this.loss = loss;
    this.classes = classes;
    this.squares = new double[RowCosts.count(rows)];
    this.columns = loss.columns(classes);
  }

  /**
   * Takes a step into account.
   *
   * @param weights that the step started from, {@code [features, columns]}, row-major
   * @param clipNorm τ of this step
   */
  public void add(double[] weights, ClipNorm clipNorm) {
    if (rows.units().isPresent()) {
      addPeople(rows.units().get(), weights, clipNorm);
    } else {
      addRows(weights, clipNorm);
    }
  }

  private void addPeople(RowUnits people, double[] weights, ClipNorm clipNorm) {
    double[] norms =
        new ReferenceClippedSum(rows, columns, new ClippedResidual(loss, classes, clipNorm))
            .unitNorms(people, weights, clipNorm);
    for (int person = 0; person < norms.length; person++) {
      double moved = norms[person] / clipNorm.value() + ClipNorm.MARGIN_OF_UNITS;
      squares[person] += moved * moved;
    }
  }

  private void addRows(double[] weights, ClipNorm clipNorm) {
    double[] residual = new double[columns];
    int features = rows.columns();
    int row = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++, row++) {
        double norm = norm(block, i * features, block.labels()[i], weights, residual);
        double share = norm * clipNorm.factor(norm) / clipNorm.value();
        // Whatever a row adds, taking it out may round the others' sum otherwise.
        double moved = (Double.isNaN(share) ? 0 : share) + ClipNorm.MARGIN;
        squares[row] += moved * moved;
      }
    }
  }

  /** Of one row's gradient; infinite or no number where the row adds nothing. */
  private double norm(
      RowBlocks.Block block, int offset, int label, double[] weights, double[] residual) {
    if (!loss.admits(label, classes)) {
      return 0;
    }
    Logits.compute(block.features(), offset, weights, residual);
    loss.toResidual(residual, label);
    return EuclideanNorm.of(block.features(), offset, rows.columns()) * EuclideanNorm.of(residual);
  }

  /**
   * μ(i) of every row, or of every person, in their order, rounded up, for adding or removing it;
   * never more than the charge's, but for that rounding.
   *
   * @param sigma σ, the noise's standard deviation over τ
   */
  public double[] mu(NoiseMultiplier sigma) {
    return Arrays.stream(squares).map(s -> Math.sqrt(s) / sigma.value() * UP).toArray();
  }

  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "PerInstancePrivacy";
  }
}
