package io.mutune.trainer.method.descent;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.StartWeights;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingMethod;
import java.util.Optional;
import java.util.OptionalInt;

/** A method that descends: a noisy answer of the rows at every step, then an update. */
interface DescentMethod extends TrainingMethod {
  /**
   * How an answer moves the weights.
   *
   * @param start the run's first weights; not written to
   */
  UpdateRule rule(Problem problem, Run run, double[] start);

  /** What is asked of the rows at every step of one attempt. */
  StepQuery query(
      Problem problem, Run run, PublicInputs inputs, PrivateRows rows, TrainingAttempt attempt);

  /**
   * Checks what is public and the method's own.
   *
   * @throws IllegalArgumentException if it does not go together
   */
  default void check(Problem problem, PublicInputs inputs) {}

  /** How many features rows must have, where the inputs fix it. */
  default OptionalInt features(PublicInputs inputs) {
    return StartWeights.features(inputs.start());
  }

  /** Whether sums are rounded to a grid before their noise. */
  default Optional<SumRounding> rounding() {
    return Optional.empty();
  }

  @Override
  default Training training(Problem problem, Run run, PublicInputs inputs) {
    return new DescentTraining(this, problem, run, inputs);
  }

  @Override
  default double[] released(Iterate last, Problem problem, Run run) {
    double[] weights = last.weights().clone();
    return rule(problem, run, weights).released(weights, last.memory());
  }
}
