package io.mutune.trainer.method;

/** A stepper that stands where its iterate does, and goes on from one. */
abstract class IterateStepper implements Stepper {
  final double[] weights;
  final double[] memory;
  int asked;

  IterateStepper(Iterate from) {
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
