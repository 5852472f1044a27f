package io.mutune.trainer.method.descent;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.method.TrainingRun;
import io.mutune.trainer.noise.Purpose;

/** (Σ clip_C(∇ℓ(w)) + N(0, σ²C²I)) / L over all rows or a Poisson sample; L is public. */
final class NoisySum implements StepQuery {
  private final ClippedSum sum;
  private final ClipNorm clip;
  private final double deviation;
  private final double samplingRate;
  private final double divisor;
  private final TrainingRun run;

  /**
   * @param samplingRate q; 1 for all rows
   * @param divisor L, the public number of rows that are expected to take part
   */
  NoisySum(
      ClippedSum sum,
      ClipNorm clip,
      NoiseMultiplier sigma,
      double samplingRate,
      double divisor,
      TrainingRun run) {
    this.sum = sum;
    this.clip = clip;
    this.deviation = sigma.value() * clip.value();
    this.samplingRate = samplingRate;
    this.divisor = divisor;
    this.run = run;
  }

  @Override
  public void ask(int step, double[] weights, double[] gradient) {
    sum.compute(weights, clip, sample(step), gradient);
    run.noise().stream(run.streams().step(step)).addTo(gradient, deviation);
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] /= divisor;
    }
  }

  private RowSample sample(int step) {
    return samplingRate == 1
        ? RowSample.ALL
        : RowSample.poisson(
            samplingRate, run.noise().bits(run.streams().step(step, Purpose.SAMPLE)));
  }

  @Override
  public void close() {
    sum.close();
  }
}
