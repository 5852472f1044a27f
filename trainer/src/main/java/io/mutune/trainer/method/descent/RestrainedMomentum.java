package io.mutune.trainer.method.descent;

import io.mutune.trainer.kernel.EuclideanNorm;

/**
 * {@link Momentum} under a {@link Restraint}. Remembers the velocity, and after it Σ t·w_t where
 * the average is asked for.
 */
final class RestrainedMomentum implements UpdateRule {
  private final Momentum momentum;
  private final Restraint restraint;
  private final double decay;
  private final double[] reference;
  private final int steps;

  /**
   * @param start w₁; not written to
   * @param publicRows N, by which the gradient is divided, and the decay with it
   */
  RestrainedMomentum(
      Momentum momentum, Restraint restraint, double[] start, long publicRows, int steps) {
    this.momentum = momentum;
    this.restraint = restraint;
    this.decay = restraint.weightDecay() / publicRows;
    this.reference = restraint.towardsStart() ? start.clone() : new double[start.length];
    this.steps = steps;
  }

  @Override
  public int memoryLength(int weights) {
    return restraint.averaged() ? 2 * weights : weights;
  }

  @Override
  public void apply(int step, double[] weights, double[] memory, double[] gradient) {
    addToAverage(step, weights, memory);
    for (int i = 0; i < weights.length; i++) {
      gradient[i] += decay * (weights[i] - reference[i]);
    }
    momentum.move(restraint.schedule().factor(step), weights, memory, gradient);
    project(weights, restraint.radius());
  }

  /** The weights stay where they were, and count for the step. */
  @Override
  public void skip(int step, double[] weights, double[] memory) {
    addToAverage(step, weights, memory);
  }

  private void addToAverage(int step, double[] weights, double[] memory) {
    if (restraint.averaged()) {
      for (int i = 0; i < weights.length; i++) {
        memory[weights.length + i] += step * weights[i];
      }
    }
  }

  static void project(double[] weights, double radius) {
    double norm = EuclideanNorm.of(weights);
    if (norm > radius) {
      for (int i = 0; i < weights.length; i++) {
        weights[i] *= radius / norm;
      }
    }
  }

  @Override
  public double[] released(double[] weights, double[] memory) {
    if (!restraint.averaged()) {
      double[] last = momentum.released(restraint.schedule().factor(steps + 1), weights, memory);
      project(last, restraint.radius());
      return last;
    }
    double total = steps * (steps + 1.0) / 2;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = memory[weights.length + i] / total;
    }
    return weights;
  }
}
