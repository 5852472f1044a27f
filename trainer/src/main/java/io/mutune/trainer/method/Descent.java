package io.mutune.trainer.method;

import io.mutune.trainer.model.ClippedSum;
import io.mutune.trainer.noise.NormalStream;

/** The arithmetic of {@link NoisyGd}, all in double: weights, velocity and the steps used up. */
final class Descent {
  private final NoisyGd.Settings settings;
  private final double[] weights;
  private final double[] velocity;
  private final double[] gradient;
  private int asked;

  Descent(NoisyGd.Settings settings, Iterate from) {
    this.settings = settings;
    this.weights = from.weights().clone();
    this.velocity = from.velocity().clone();
    this.gradient = new double[weights.length];
    this.asked = from.asked();
  }

  int asked() {
    return asked;
  }

  /** Leaves out the steps up to {@code step}, which were begun once and are spent. */
  void skipTo(int step) {
    if (step > settings.steps()) {
      throw new IllegalArgumentException("%d steps begun of %d".formatted(step, settings.steps()));
    }
    asked = step;
  }

  void step(ClippedSum sum, NormalStream noise) {
    asked++;
    sum.compute(weights, gradient);
    noise.addTo(gradient, settings.sigma().value() * settings.clipNorm().value());
    for (int i = 0; i < weights.length; i++) {
      velocity[i] = settings.momentum() * velocity[i] + gradient[i] / settings.publicRows();
      weights[i] -= settings.learningRate() * velocity[i];
    }
  }

  Iterate iterate() {
    return new Iterate(asked, weights, velocity);
  }

  double[] finalWeights() {
    double[] moved = weights.clone();
    if (settings.freeStep()) {
      for (int i = 0; i < moved.length; i++) {
        moved[i] -= settings.learningRate() * velocity[i];
      }
    }
    return moved;
  }

  void requireLength(int length) {
    if (weights.length != length) {
      throw new IllegalArgumentException(
          "a checkpoint of %d weights does not fit a model of %d"
              .formatted(weights.length, length));
    }
  }
}
