package io.mutune.trainer.method.descent;

import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.method.TrainingAttempt;

/**
 * (Σ clip_C(∇ℓ(w)) + N(0, σ²C²I)) / L over all rows or a Poisson sample; L is public.
 *
 * @param deviation σC
 * @param divisor L, the public number of rows that are expected to take part
 */
record NoisySum(
    NoisyGradient asked, ClippedSum sum, double deviation, double divisor, TrainingAttempt run)
    implements StepQuery {
  @Override
  public void ask(int step, double[] weights, double[] gradient) {
    sum.compute(weights, asked.clipNorm(), asked.sample(step, run), gradient);
    run.noise().stream(run.streams().step(step)).addTo(gradient, deviation);
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] /= divisor;
    }
  }

  @Override
  public void close() {
    sum.close();
  }
}
