package io.mutune.trainer.method.descent;

/**
 * How a released gradient moves the weights. Reads no private row, so it costs nothing. Immutable:
 * what changes is in the arrays that it is given.
 */
interface UpdateRule {
  /** How many numbers it remembers for a model of so many weights; all 0 before the first step. */
  int memoryLength(int weights);

  /**
   * Takes a step.
   *
   * @param step counted from 1
   * @param gradient of the mean loss, noise included
   */
  void apply(int step, double[] weights, double[] memory, double[] gradient);

  /** Accounts for a step whose gradient was lost in a crash. */
  default void skip(int step, double[] weights, double[] memory) {}

  /**
   * The weights to release after all steps.
   *
   * @param weights may be written to, and returned
   */
  default double[] released(double[] weights, double[] memory) {
    return weights;
  }
}
