package io.mutune.trainer.method.descent;

import io.mutune.trainer.method.Require;

/**
 * Adam (Kingma and Ba 2014, Algorithm 1) on released gradients: m ← β₁m + (1 − β₁)g, v ← β₂v + (1 −
 * β₂)g², both corrected for their start, w ← w − α·m̂/(√v̂ + ε̂). Remembers m, v and how many
 * gradients there were: a step that was lost in a crash is none.
 *
 * @param learningRate α
 * @param meanDecay β₁
 * @param squareDecay β₂
 * @param epsilon ε̂
 */
record Adam(double learningRate, double meanDecay, double squareDecay, double epsilon)
    implements UpdateRule {
  Adam {
    Require.learningRate(learningRate);
    Require.that(meanDecay >= 0 && meanDecay < 1, "decay of the mean", meanDecay);
    Require.that(squareDecay >= 0 && squareDecay < 1, "decay of the squares", squareDecay);
    Require.that(epsilon > 0 && Double.isFinite(epsilon), "epsilon of Adam", epsilon);
  }

  @Override
  public int memoryLength(int weights) {
    return Math.addExact(Math.multiplyExact(2, weights), 1);
  }

  @Override
  public void apply(int step, double[] weights, double[] memory, double[] gradient) {
    int length = weights.length;
    double gradients = ++memory[2 * length];
    double meanShare = 1 - Math.pow(meanDecay, gradients);
    double squareShare = 1 - Math.pow(squareDecay, gradients);
    for (int i = 0; i < length; i++) {
      double g = gradient[i];
      memory[i] = meanDecay * memory[i] + (1 - meanDecay) * g;
      memory[length + i] = squareDecay * memory[length + i] + (1 - squareDecay) * g * g;
      double mean = memory[i] / meanShare;
      double square = memory[length + i] / squareShare;
      weights[i] -= learningRate * mean / (Math.sqrt(square) + epsilon);
    }
  }
}
