package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedSum;
import io.mutune.trainer.model.Loss;
import java.util.Optional;

/**
 * The noisy gradient that DP-SGD and its kin ask for at every step, whatever they then do with it:
 * the clipped gradients of a Poisson sample, summed, with noise, over the expected size of the
 * sample (Abadi et al., <i>Deep Learning with Differential Privacy</i>, 2016, Algorithm 1).
 *
 * <p>Every row takes part in a step with probability q, independently of all others, so samples
 * differ in size and may be empty; an empty one is noise alone. The divisor is the expected size
 * q·N with the public N, never the size drawn.
 *
 * @param clipNorm C
 * @param sigma σ, the noise's standard deviation over C
 * @param samplingRate q, above 0 and at most 1; 1 for all rows at every step
 * @param adjacency which neighbours the charge is for
 * @param publicRows N, at least 1
 * @param classes as many as the loss is made for
 * @param rounding whether sums are rounded to a grid before their noise
 */
public record NoisyGradient(
    ClipNorm clipNorm,
    NoiseMultiplier sigma,
    double samplingRate,
    Adjacency adjacency,
    long publicRows,
    Loss loss,
    int classes,
    Optional<SumRounding> rounding) {
  public NoisyGradient {
    SumRounding.checkColumns(rounding, loss.columns(classes));
    Require.that(samplingRate > 0 && samplingRate <= 1, "sampling rate", samplingRate);
    Require.publicRows(publicRows);
    loss.columns(classes);
  }

  /** Without rounding. */
  public NoisyGradient(
      ClipNorm clipNorm,
      NoiseMultiplier sigma,
      double samplingRate,
      Adjacency adjacency,
      long publicRows,
      Loss loss,
      int classes) {
    this(clipNorm, sigma, samplingRate, adjacency, publicRows, loss, classes, Optional.empty());
  }

  /** q·N. */
  public double expectedRows() {
    return samplingRate * publicRows;
  }

  int columns() {
    return loss.columns(classes);
  }

  /** A {@link Gaussian} where every row is sampled: the same guarantee, with a finite μ. */
  Mechanism mechanism(int steps) {
    double unrounded = adjacency.sumSensitivity();
    return samplingRate == 1
        ? new Gaussian(
            sigma,
            rounding.map(sums -> sums.sensitivity(adjacency, clipNorm)).orElse(unrounded),
            steps)
        : new SubsampledGaussian(
            sigma,
            samplingRate,
            rounding.map(sums -> sums.sampledSensitivity(adjacency, clipNorm)).orElse(unrounded),
            steps);
  }

  Question question(PrivateRows rows, TrainingRun run) {
    SumRounding.checkFeatures(rounding, rows);
    ClippedSum sum = run.engine().open(rows, loss, classes, clipNorm);
    return new NoisySum(sum, clipNorm, sigma, samplingRate, expectedRows(), run);
  }
}
