package io.mutune.trainer.score;

import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.NormalStream;

/** How good a model is on private rows, as a charged release; greater is better. */
public sealed interface NoisyScore permits NoisyCorrectCount, NoisyClassCounts {
  /** What it costs. */
  Gaussian mechanism();

  /**
   * The released score.
   *
   * @param proof that {@link #mechanism()} is charged
   * @param noise of this score alone
   * @throws IllegalStateException if another mechanism is charged; no row was read
   */
  double score(ReservedCharge proof, PrivateRows rows, LinearModel model, NormalStream noise)
      throws UnsuitableRowsException;
}
