package io.mutune.trainer.method.budget;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.LinearModel;
import java.util.OptionalInt;

/** A run of PPSGD or PPGD: what a step costs and adds. */
abstract class AdaptiveTraining extends Training {
  final Adaptation adaptation;
  final Problem problem;
  final PublicRows shown;

  AdaptiveTraining(
      TrainingMethod method, Adaptation adaptation, Problem problem, PublicRows shown) {
    super(method);
    this.adaptation = adaptation;
    this.problem = problem;
    this.shown = shown;
  }

  /** Of the first step. */
  abstract double firstRho();

  /** Of the whole run. */
  abstract double totalRho();

  /** The most that a step may cost. */
  abstract double greatestRho();

  /** The number of rows that a step's sum is divided by. */
  abstract double divisor();

  /** The standard deviation of each coordinate of the sum for a clip norm of 1; rounded up. */
  abstract double deviation(double rho);

  abstract RowSample sample(int step, TrainingAttempt run);

  /** At most how many steps the total pays for: ρ never falls. */
  @Override
  public final int steps() {
    double steps = Math.floor(totalRho() / firstRho());
    if (!(steps >= 1 && steps <= Integer.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "a total rho of %s does not pay for a sensible number of steps of %s"
              .formatted(totalRho(), firstRho()));
    }
    return (int) steps;
  }

  @Override
  public final OptionalInt features() {
    return OptionalInt.of(shown.blocks().columns());
  }

  @Override
  protected final LinearModel trainCharged(PrivateRows rows, TrainingAttempt run) {
    return AdaptiveDescent.train(this, rows, run);
  }
}
