package io.mutune.trainer.method.descent;

import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.StartWeights;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.Grid;
import java.util.Optional;
import java.util.OptionalInt;

/** A run of a {@link DescentMethod}. */
final class DescentTraining extends Training {
  private final DescentMethod method;
  private final Problem problem;
  private final Run run;
  private final PublicInputs inputs;

  DescentTraining(DescentMethod method, Problem problem, Run run, PublicInputs inputs) {
    super(method);
    this.method = method;
    this.problem = problem;
    this.run = run;
    this.inputs = inputs;
    SumRounding.checkColumns(method.rounding(), problem.columns());
    StartWeights.check(inputs.start(), problem.columns());
    method.check(problem, inputs);
  }

  @Override
  public Mechanism mechanism() {
    return method.mechanism(run.sigma(), problem, run.steps());
  }

  @Override
  public Optional<Grid> grid() {
    return SumRounding.grid(method.rounding());
  }

  @Override
  public int steps() {
    return run.steps();
  }

  @Override
  public OptionalInt features() {
    return method.features(inputs);
  }

  @Override
  protected LinearModel trainCharged(PrivateRows rows, TrainingAttempt attempt) {
    SumRounding.checkFeatures(method.rounding(), rows);
    int features = rows.columns();
    method.features(inputs).ifPresent(needed -> StartWeights.checkFeatures(features, needed));
    double[] start = StartWeights.of(inputs.start(), features, problem.columns());
    double[] weights =
        Descent.run(
            run.steps(),
            start,
            method.rule(problem, run, start),
            () -> method.query(problem, run, inputs, rows, attempt),
            attempt);
    return new LinearModel(features, problem.columns(), weights);
  }
}
