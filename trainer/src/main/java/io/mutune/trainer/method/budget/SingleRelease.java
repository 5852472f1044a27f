package io.mutune.trainer.method.budget;

import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.StepLoop;
import io.mutune.trainer.method.Stepper;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.model.LinearModel;
import java.util.function.IntFunction;

/**
 * A run whose only release is its last model. Nothing on the way to it may be seen, so nothing is
 * stored: a release that was begun and lost leaves zero weights, and one that was cancelled before
 * it was made leaves nothing that was released, so that it may be made later.
 */
final class SingleRelease implements Stepper {
  private static final double[] NOTHING = {};

  private final IntFunction<double[]> release;
  private double[] weights;
  private int asked;

  private SingleRelease(IntFunction<double[]> release, Iterate from) {
    this.release = release;
    this.weights = from.weights().clone();
    this.asked = from.asked();
  }

  /**
   * The model to release.
   *
   * @param release gives so many weights: reads the rows, adds the noise, and calls {@link
   *     #stopIfCancelled} now and then, for the last time before it draws what is released; called
   *     at most once
   */
  static LinearModel run(
      int features, int columns, IntFunction<double[]> release, TrainingAttempt run) {
    double[] zero = new double[Math.multiplyExact(features, columns)];
    SingleRelease stepper = new SingleRelease(release, run.start(zero, NOTHING));
    StepLoop.run(1, stepper, run);
    return new LinearModel(features, columns, stepper.weights);
  }

  static void stopIfCancelled(TrainingAttempt run) {
    if (run.cancelled().getAsBoolean()) {
      throw new TrainingCancelled(0, 1);
    }
  }

  @Override
  public int asked() {
    return asked;
  }

  @Override
  public void skipTo(int step) {
    asked = Math.max(asked, step);
  }

  @Override
  public void step() {
    weights = release.apply(weights.length);
    asked = 1;
  }

  @Override
  public Iterate iterate() {
    return new Iterate(asked, weights, NOTHING);
  }
}
