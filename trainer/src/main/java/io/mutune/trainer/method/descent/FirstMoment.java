package io.mutune.trainer.method.descent;

/**
 * m ← β₁m + (1 − β₁)g, w ← w − α·m/(1 − β₁ᵗ). Remembers m and t, the number of gradients there
 * were: a step that was lost in a crash is none.
 *
 * @param learningRate α
 * @param meanDecay β₁
 */
record FirstMoment(double learningRate, double meanDecay) implements UpdateRule {
  @Override
  public int memoryLength(int weights) {
    return Math.addExact(weights, 1);
  }

  @Override
  public void apply(int step, double[] weights, double[] memory, double[] gradient) {
    int length = weights.length;
    double gradients = ++memory[length];
    double share = 1 - Math.pow(meanDecay, gradients);
    for (int i = 0; i < length; i++) {
      memory[i] = meanDecay * memory[i] + (1 - meanDecay) * gradient[i];
      weights[i] -= learningRate * memory[i] / share;
    }
  }
}
