package io.mutune.trainer.method.descent;

/**
 * What a descent asks of the private rows at every step: a noisy gradient. Open while steps are
 * taken.
 */
interface StepQuery extends AutoCloseable {
  /**
   * Asks at {@code weights}, with the noise of this step.
   *
   * @param step counted from 1
   * @param weights {@code [features, columns]}, row-major; not written to
   * @param gradient the same shape, overwritten with the released value: nothing else leaves
   */
  void ask(int step, double[] weights, double[] gradient);

  @Override
  void close();
}
