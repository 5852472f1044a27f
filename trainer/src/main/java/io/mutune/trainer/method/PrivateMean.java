package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.NormalStream;

/**
 * The mean of the private rows as a charged release, to be taken from every row before training, as
 * Panda et al. (ICML 2024, the ImageNet experiments) do after Sun et al.: each row is clipped to L2
 * norm R, the sum gets N(0, σ²R²) on every coordinate, and is divided by the public number of rows.
 *
 * <p>The sum itself is exact for up to 2^27 rows: a clipped row is rounded to whole multiples of
 * R·2^−36 and those are added as whole numbers, so what one row adds does not depend on the others.
 * That rounding moves a row by at most √d·R·2^−37, which {@link ClipNorm} has room for at any
 * width.
 *
 * @param clipNorm R
 * @param sigma σ, the noise's standard deviation over R
 * @param adjacency which neighbours the charge is for
 * @param publicRows at least 1; never a count of the rows
 */
public record PrivateMean(
    ClipNorm clipNorm, NoiseMultiplier sigma, Adjacency adjacency, long publicRows) {
  private static final double UNITS = 0x1p36;

  public PrivateMean {
    if (publicRows < 1) {
      throw new IllegalArgumentException(
          "the public number of rows must be at least 1; was " + publicRows);
    }
  }

  /** One sum to which a row adds at most R. */
  public Gaussian mechanism() {
    return new Gaussian(sigma, adjacency.sumSensitivity(), 1);
  }

  /**
   * The released mean, one value a feature. Working with it is free from then on.
   *
   * @param proof that {@link #mechanism()} is charged
   * @param noise of this question alone
   * @throws IllegalStateException if another mechanism is charged; no row was read
   */
  public double[] release(ReservedCharge proof, PrivateRows rows, NormalStream noise) {
    ChargedNoise.require(proof, mechanism());
    double unit = clipNorm.value() / UNITS;
    long[] units = units(rows.blocks());
    double[] sum = new double[units.length];
    for (int j = 0; j < sum.length; j++) {
      sum[j] = units[j] * unit;
    }
    noise.addTo(sum, sigma.value() * clipNorm.value());
    for (int j = 0; j < sum.length; j++) {
      sum[j] /= publicRows;
    }
    return sum;
  }

  /** The private rows less a released mean: as private as before. */
  public static PrivateRows centred(PrivateRows rows, double[] mean) {
    return new PrivateRows(rows.blocks().minus(mean));
  }

  private long[] units(RowBlocks rows) {
    int features = rows.columns();
    long[] sum = new long[features];
    for (RowBlocks.Block block : rows.blocks()) {
      float[] values = block.features();
      for (int start = 0; start < values.length; start += features) {
        double factor = clipNorm.factor(norm(values, start, features)) * UNITS / clipNorm.value();
        for (int j = 0; factor > 0 && j < features; j++) {
          sum[j] += Math.round(values[start + j] * factor);
        }
      }
    }
    return sum;
  }

  private static double norm(float[] values, int from, int count) {
    double squares = 0;
    for (int i = from; i < from + count; i++) {
      squares += (double) values[i] * values[i];
    }
    return Math.sqrt(squares);
  }
}
