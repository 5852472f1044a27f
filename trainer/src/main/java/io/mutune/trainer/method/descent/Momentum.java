package io.mutune.trainer.method.descent;

import io.mutune.trainer.method.Require;

/**
 * v ← βv + g, w ← w − ηv; the <i>free step</i> is one more w ← w − ηv at the end. Remembers v.
 *
 * @param learningRate η
 * @param momentum β
 */
record Momentum(double learningRate, double momentum, boolean freeStep) implements UpdateRule {
  Momentum {
    Require.learningRate(learningRate);
    Require.momentum(momentum);
  }

  @Override
  public int memoryLength(int weights) {
    return weights;
  }

  @Override
  public void apply(int step, double[] weights, double[] memory, double[] gradient) {
    move(1, weights, memory, gradient);
  }

  /** A step with {@code factor} times the learning rate. */
  void move(double factor, double[] weights, double[] memory, double[] gradient) {
    for (int i = 0; i < weights.length; i++) {
      memory[i] = momentum * memory[i] + gradient[i];
      weights[i] -= factor * learningRate * memory[i];
    }
  }

  @Override
  public double[] released(double[] weights, double[] memory) {
    return released(1, weights, memory);
  }

  /** The same where the free step has {@code factor} times the learning rate. */
  double[] released(double factor, double[] weights, double[] memory) {
    if (freeStep) {
      for (int i = 0; i < weights.length; i++) {
        weights[i] -= factor * learningRate * memory[i];
      }
    }
    return weights;
  }
}
