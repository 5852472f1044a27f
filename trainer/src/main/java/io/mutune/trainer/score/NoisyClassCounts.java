package io.mutune.trainer.score;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.NormalStream;

/**
 * The balanced accuracy on private rows as a charged release: {@link ClassCounts} with N(0, σ²) on
 * every cell, of which the ratios are taken afterwards. Noise on the ratio itself would protect
 * nobody: a class of one row moves it by a whole class's share.
 *
 * @param sigma σ, in units
 * @param adjacency a unit more or less changes the cells by a vector of norm at most 1; one that
 *     takes another's place by two such, neither with a cell below 0, so by at most √2
 */
public record NoisyClassCounts(NoiseMultiplier sigma, Adjacency adjacency) implements NoisyScore {
  /** The least double above √2. */
  private static final double ROOT_OF_TWO = Math.nextUp(Math.sqrt(2));

  static double sensitivity(Adjacency adjacency) {
    return switch (adjacency) {
      case ADD_REMOVE -> 1;
      case REPLACE_ONE -> ROOT_OF_TWO;
    };
  }

  @Override
  public Gaussian mechanism() {
    return new Gaussian(sigma, sensitivity(adjacency), 1);
  }

  /**
   * {@inheritDoc}
   *
   * <p>In [0, 1]: a cell below 0 counts as 0, and σ rows are added to every class, half of them
   * right. So a class that noise hides stands near one half, whatever the model, and one of many
   * rows where it stands without them.
   */
  @Override
  public double score(ReservedCharge proof, PrivateRows rows, LinearModel model, NormalStream noise)
      throws UnsuitableRowsException {
    ChargedNoise.require(proof, mechanism());
    double[] cells = ClassCounts.of(model, rows.blocks());
    noise.addTo(cells, sigma.value());
    return ClassCounts.balancedAccuracy(cells, sigma.value());
  }
}
