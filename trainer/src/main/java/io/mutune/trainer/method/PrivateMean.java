package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.kernel.WholeSum;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.StreamId;
import java.util.Optional;

/**
 * The mean of the private rows as a charged release, to be taken from every row before training, as
 * Panda et al. (ICML 2024, the ImageNet experiments) do after Sun et al.: each row is clipped to L2
 * norm R, the sum gets N(0, σ²R²) on every coordinate, and is divided by the public number of rows.
 *
 * <p>The sum itself is one of whole numbers ({@link WholeSum}), so that what one row adds does not
 * depend on the others, and neither order nor machines change a bit of it. In the end a sum of n
 * rows, of norm at most nR, is rounded to doubles, which moves it by at most nR·2^−53; {@link
 * ClipNorm} has room for both at any width and for 2^33 rows.
 *
 * @param clipNorm R
 * @param sigma σ, the noise's standard deviation over R
 * @param adjacency which neighbours the charge is for
 * @param publicRows at least 1; never a count of the rows
 * @param rounding whether the sum is rounded to a grid before its noise
 */
public record PrivateMean(
    ClipNorm clipNorm,
    NoiseMultiplier sigma,
    Adjacency adjacency,
    long publicRows,
    Optional<SumRounding> rounding) {
  /** Half of those that its sum has room for. */
  public static final double MOST_ROWS = 0x1p32;

  public PrivateMean {
    if (publicRows < 1) {
      throw new IllegalArgumentException(
          "the public number of rows must be at least 1; was " + publicRows);
    }
  }

  /** One sum to which a row adds at most R. */
  public Gaussian mechanism() {
    double unrounded = adjacency.sumSensitivity();
    return new Gaussian(
        sigma, rounding.map(sum -> sum.sensitivity(adjacency, clipNorm)).orElse(unrounded), 1);
  }

  /**
   * The released mean, one value a feature. Working with it is free from then on.
   *
   * @param proof that {@link #mechanism()} is charged
   * @param id of the noise of this question alone
   * @throws IllegalStateException if another mechanism is charged, or the noise is on another grid;
   *     no row was read
   */
  public double[] release(ReservedCharge proof, PrivateRows rows, NoiseSource noise, StreamId id) {
    ChargedNoise.require(proof, mechanism(), noise, SumRounding.grid(rounding));
    SumRounding.checkFeatures(rounding, rows);
    return release(proof, rows, noise.stream(id));
  }

  double[] release(ReservedCharge proof, PrivateRows rows, NormalStream noise) {
    ChargedNoise.require(proof, mechanism());
    Require.rowsAreUnits("the private mean", rows);
    double[] sum = sum(rows, clipNorm);
    noise.addTo(sum, sigma.value() * clipNorm.value());
    for (int j = 0; j < sum.length; j++) {
      sum[j] /= publicRows;
    }
    return sum;
  }

  private static double[] sum(PrivateRows rows, ClipNorm clip) {
    long[] numbers =
        rows.elsewhere()
            .map(there -> there.add(part -> sum(part, clip)))
            .orElseGet(() -> sum(rows.blocks(), clip));
    return WholeSum.rounded(clip.value(), numbers);
  }

  private static long[] sum(RowBlocks rows, ClipNorm clip) {
    int features = rows.columns();
    WholeSum total = new WholeSum(clip.value(), features);
    for (RowBlocks.Block block : rows.blocks()) {
      float[] values = block.features();
      for (int start = 0; start < values.length; start += features) {
        double factor = clip.factor(EuclideanNorm.of(values, start, features));
        for (int j = 0; factor > 0 && j < features; j++) {
          total.add(j, values[start + j] * factor);
        }
      }
    }
    return total.numbers();
  }
}
