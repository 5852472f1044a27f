package io.mutune.trainer.method;

/** A stepper that stands where its iterate does, and goes on from one. */
public abstract class IterateStepper implements Stepper {
  /** {@code [features, columns]}, row-major; each step writes to them. */
  protected final double[] weights;

  /** What else the method remembers; each step writes to it. */
  protected final double[] memory;

  /** How many steps are used up. */
  protected int asked;

  /**
   * @param from where the run stands; copied
   */
  protected IterateStepper(Iterate from) {
    this.weights = from.weights().clone();
    this.memory = from.memory().clone();
    this.asked = from.asked();
  }

  @Override
  public final int asked() {
    return asked;
  }

  @Override
  public final Iterate iterate() {
    return new Iterate(asked, weights, memory);
  }
}
