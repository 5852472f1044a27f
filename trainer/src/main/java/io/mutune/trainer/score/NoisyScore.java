package io.mutune.trainer.score;

import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.NormalStream;

/**
 * How good a model is on private rows, by charged noisy counts; greater is better.
 *
 * @param publicRows the public number of units, at least 1; never a count
 */
public record NoisyScore(Metric metric, NoisyCounts counts, long publicRows) {
  public NoisyScore {
    if (publicRows < 1) {
      throw new IllegalArgumentException(
          "the public number of rows must be at least 1; was " + publicRows);
    }
  }

  /** What it costs. */
  public Gaussian mechanism() {
    return counts.mechanism();
  }

  /**
   * The score, and nothing of what it follows from.
   *
   * @param proof that {@link #mechanism()} is charged
   * @param noise of this score alone
   * @throws IllegalStateException if another mechanism is charged; no row was read
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  public double score(ReservedCharge proof, PrivateRows rows, LinearModel model, NormalStream noise)
      throws UnsuitableRowsException {
    return of(counts.release(proof, rows, model, noise));
  }

  /**
   * The score that follows from noisy counts. Of a mean noise, or a public number of rows that is
   * off, may take it out of [0, 1].
   */
  public double of(double[] cells) {
    return metric.of(cells, counts.sigma().value(), publicRows);
  }
}
