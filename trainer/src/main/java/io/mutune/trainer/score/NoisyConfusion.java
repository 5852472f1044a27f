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
 * Private rows by their class and by what a model says, as a charged release: {@link ClassCounts}
 * with N(0, σ²) on every cell, from which every figure of {@link NoisyClassMetrics} follows.
 *
 * @param sigma σ, in units; one unit more, or another, moves the cells as far as in {@link
 *     NoisyClassCounts}, since its rows weigh 1 together here too
 */
public record NoisyConfusion(NoiseMultiplier sigma, Adjacency adjacency) {
  /** More classes have more cells than anybody can judge by. */
  public static final int MOST_CLASSES = ClassMetrics.MOST_CLASSES;

  /** What one of this cost is charged as; the noise is the least that keeps it. */
  public static Gaussian mechanism(Mu mu, Adjacency adjacency) {
    double sensitivity = NoisyClassCounts.sensitivity(adjacency);
    return new NoisyConfusion(Calibration.noise(mu, sensitivity, 1), adjacency).mechanism();
  }

  /** What it costs. */
  public Gaussian mechanism() {
    return new Gaussian(sigma, NoisyClassCounts.sensitivity(adjacency), 1);
  }

  /**
   * The noisy counts, {@code [classes, classes]}: by the class of a row, then by what the model
   * says.
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
    double[] cells = ClassCounts.confusion(model, rows.blocks());
    noise.addTo(cells, sigma.value());
    return cells;
  }
}
