package io.mutune.trainer.method.descent;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.Velocity;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.Map;
import java.util.Optional;

/**
 * The noisy gradient that NoisyGD, DP-SGD and its kin ask for at every step, whatever they then do
 * with it: the clipped gradients of a Poisson sample, summed, with noise, over the expected size of
 * the sample (Abadi et al., <i>Deep Learning with Differential Privacy</i>, 2016, Algorithm 1).
 *
 * <p>Every row takes part in a step with probability q, independently of all others, so samples
 * differ in size and may be empty; an empty one is noise alone. The divisor is the expected size
 * q·N with the public N, never the size drawn.
 *
 * @param clipNorm C
 * @param samplingRate q, above 0 and at most 1; 1 for all rows at every step
 * @param rounding whether sums are rounded to a grid before their noise
 */
public record NoisyGradient(
    ClipNorm clipNorm, double samplingRate, Optional<SumRounding> rounding) {
  /** The chance q with which each row is in the sample of a step. */
  static final Setting<Double> SAMPLING_RATE =
      Setting.number("samplingRate", NumberRule.SHARE, "").orSearched();

  public NoisyGradient {
    Require.that(samplingRate > 0 && samplingRate <= 1, "sampling rate", samplingRate);
  }

  /** The noisy gradient of all rows, not rounded to a grid. */
  public static NoisyGradient ofAllRows(ClipNorm clipNorm) {
    return new NoisyGradient(clipNorm, 1, Optional.empty());
  }

  /** The noisy gradient of Poisson samples, not rounded to a grid. */
  public static NoisyGradient ofSamples(ClipNorm clipNorm, double samplingRate) {
    return new NoisyGradient(clipNorm, samplingRate, Optional.empty());
  }

  /** {@code samplingRate: 0.1}, or {@code batchSize: 128} rows of the public number on average. */
  static double readSamplingRate(MethodSettings given, String method) {
    Optional<Double> rate = given.find(SAMPLING_RATE);
    Optional<Long> rows = given.rows();
    Optional<Long> batch =
        given.find(
            Setting.count(
                SharedSettings.BATCH_SIZE.key(),
                1,
                rows.orElse(1L << 40),
                SharedSettings.BATCH_SIZE.meaning()));
    if (given.has(SAMPLING_RATE) && given.has(SharedSettings.BATCH_SIZE)) {
      given.broken(
          SharedSettings.BATCH_SIZE, "and samplingRate say the same thing twice", "both given");
    } else if (!given.has(SAMPLING_RATE)
        && !given.has(SharedSettings.BATCH_SIZE)
        && !given.isSearched(SAMPLING_RATE.key())) {
      given.missing(SAMPLING_RATE, method + " needs samplingRate or batchSize; 1 takes all rows");
    }
    return rate.or(() -> batch.flatMap(size -> rows.map(n -> (double) size / n))).orElse(1.0);
  }

  /** A copy with the clip norm or sampling rate that a run chose, where it chose one. */
  NoisyGradient with(Map<String, Double> chosen) {
    return new NoisyGradient(
        ClipNorm.of(chosen.getOrDefault(SharedSettings.CLIP_NORM.key(), clipNorm.value())),
        chosen.getOrDefault(SAMPLING_RATE.key(), samplingRate),
        rounding);
  }

  NoisyGradient rounded(SumRounding sums) {
    return new NoisyGradient(clipNorm, samplingRate, Optional.of(sums));
  }

  /** How many rows a sample has on average: q·N. */
  double expectedRows(Problem problem) {
    return samplingRate * problem.publicRows();
  }

  /** By how much neighbours differ in one sum, in units of C. */
  double sensitivity(Adjacency adjacency) {
    double unrounded = adjacency.sumSensitivity();
    return rounding
        .map(
            sums ->
                samplingRate == 1
                    ? sums.sensitivity(adjacency, clipNorm)
                    : sums.sampledSensitivity(adjacency, clipNorm))
        .orElse(unrounded);
  }

  /**
   * What the steps are charged as; where every row is sampled a {@link Gaussian}, whose guarantee
   * is the same and has a finite μ.
   */
  Mechanism mechanism(NoiseMultiplier sigma, Adjacency adjacency, int steps) {
    double sensitivity = sensitivity(adjacency);
    return samplingRate == 1
        ? new Gaussian(sigma, sensitivity, steps)
        : new SubsampledGaussian(sigma, samplingRate, sensitivity, steps);
  }

  StepQuery query(
      NoiseMultiplier sigma, Problem problem, PrivateRows rows, TrainingAttempt attempt) {
    SumRounding.checkFeatures(rounding, rows);
    ClippedSum sum = attempt.engine().open(rows, problem.loss(), problem.classes(), clipNorm);
    double deviation = sigma.value() * clipNorm.value();
    return new NoisySum(this, sum, deviation, expectedRows(problem), attempt);
  }

  /** Which rows take part in a step. */
  RowSample sample(int step, TrainingAttempt run) {
    return samplingRate == 1
        ? RowSample.ALL
        : RowSample.poisson(
            samplingRate, run.noise().bits(run.streams().step(step, Purpose.SAMPLE)));
  }

  /**
   * A velocity {@code v ← βv + part·g}.
   *
   * @param momentum β
   */
  Velocity velocity(Problem problem, double momentum, double part) {
    double divisor = expectedRows(problem) / part;
    return new Velocity.OfMeans(momentum, clipNorm, divisor, samplingRate, 0, new double[0]);
  }
}
