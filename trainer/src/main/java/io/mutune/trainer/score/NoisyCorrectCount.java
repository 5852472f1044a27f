package io.mutune.trainer.score;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.NormalStream;

/**
 * The accuracy on private rows as a charged release: (number correct + N(0, σ²)) / N; where targets
 * are real, the mean of the rows' {@link CreditSum}, which one row changes by no more. Both are
 * multiples of 2^−{@value CreditSum#UNIT_BITS}, so that rounding to a grid of that or less changes
 * nothing and the sensitivity stays 1.
 *
 * @param sigma σ, in units: one unit, a row or all rows of a person, changes the number by at most
 *     1 under either adjacency
 * @param publicRows N, at least 1, of units; never a count
 */
public record NoisyCorrectCount(NoiseMultiplier sigma, long publicRows) implements NoisyScore {
  public NoisyCorrectCount {
    if (publicRows < 1) {
      throw new IllegalArgumentException(
          "the public number of rows must be at least 1; was " + publicRows);
    }
  }

  @Override
  public Gaussian mechanism() {
    return new Gaussian(sigma, 1, 1);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Noise, or a public row count that is off, may take it out of [0, 1].
   */
  @Override
  public double score(ReservedCharge proof, PrivateRows rows, LinearModel model, NormalStream noise)
      throws UnsuitableRowsException {
    ChargedNoise.require(proof, mechanism());
    // As a sum, so that noise on a grid rounds it: by nothing, where the grid holds every credit.
    double[] sum = {CreditSum.of(model, rows.blocks())};
    noise.addTo(sum, sigma.value());
    return sum[0] / publicRows;
  }
}
