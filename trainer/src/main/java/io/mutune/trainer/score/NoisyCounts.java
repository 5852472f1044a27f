package io.mutune.trainer.score;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.NormalStream;

/**
 * Counts of private rows as a charged release: each cell with N(0, σ²). Ratios of them are taken
 * afterwards: noise on a ratio itself would protect nobody, since a class of one row moves it by a
 * whole class's share. Cells are multiples of 2^−{@value Counts#UNIT_BITS}, so that rounding to a
 * grid of that or less changes nothing, and the sensitivity stays what it is.
 *
 * @param sigma σ, in units
 */
public record NoisyCounts(Counts counts, NoiseMultiplier sigma, Adjacency adjacency) {
  /** What a release of this cost is charged as; the noise is the least that keeps it. */
  public static Gaussian mechanism(Counts counts, Mu mu, Adjacency adjacency) {
    double sensitivity = counts.sensitivity(adjacency);
    return new NoisyCounts(counts, Calibration.noise(mu, sensitivity, 1), adjacency).mechanism();
  }

  /** What it costs. */
  public Gaussian mechanism() {
    return new Gaussian(sigma, counts.sensitivity(adjacency), 1);
  }

  /**
   * The noisy counts.
   *
   * @param proof that {@link #mechanism()} is charged
   * @param noise of these counts alone
   * @throws IllegalStateException if another mechanism is charged; no row was read
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  public double[] release(
      ReservedCharge proof, PrivateRows rows, LinearModel model, NormalStream noise)
      throws UnsuitableRowsException {
    ChargedNoise.require(proof, mechanism());
    double[] cells = CountSum.of(counts, model, rows);
    noise.addTo(cells, sigma.value());
    return cells;
  }
}
