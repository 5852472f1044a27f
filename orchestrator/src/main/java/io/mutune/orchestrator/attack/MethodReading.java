package io.mutune.orchestrator.attack;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.attack.ReleasedDescent;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.Velocity;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.TrainedModel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How the iterates of one run are read, by its method and its point. */
final class MethodReading {
  private final TrainingMethod method;
  private final Problem problem;
  private final TrialPoint point;
  private final PublicInputs known;

  MethodReading(SweepDefinition sweep, TrialPoint point, PublicInputs known) {
    this.method = sweep.train().method().with(point.settings());
    this.problem = sweep.problem();
    this.point = point;
    this.known = known;
  }

  /**
   * What a run's iterates tell of its noisy sums; empty where they do not remember them.
   *
   * @param zero weights of the model's shape
   */
  Optional<ReleasedDescent> descent(List<Iterate> iterates, double[] zero, NoiseMultiplier sigma) {
    double[] start = known.start().map(LinearModel::weights).orElse(zero);
    Optional<Velocity> velocity = method.velocity(problem, known, start);
    return velocity.flatMap(
        v -> opened(iterates, start).map(of -> ReleasedDescent.of(of, start, sigma, v)));
  }

  /** Those of a model of another shape tell nothing here. */
  private Optional<List<Iterate>> opened(List<Iterate> iterates, double[] start) {
    return method
        .opened(iterates)
        .filter(all -> !all.isEmpty())
        .filter(all -> all.stream().allMatch(i -> i.weights().length == start.length));
  }

  /** The velocity that a run ended with; empty where there is none. */
  double[] velocity(List<Iterate> iterates, double[] zero) {
    return method.velocity(problem, known, zero).isEmpty()
        ? new double[0]
        : opened(iterates, zero)
            .map(all -> Arrays.copyOf(all.get(all.size() - 1).memory(), zero.length))
            .orElse(new double[0]);
  }

  /** The model that a run of this method releases after its last iterate. */
  TrainedModel model(Iterate last, int columns) {
    return method.stored(weights(last), columns);
  }

  /** Its noise plays no part. */
  private double[] weights(Iterate last) {
    Run run = new Run(point.learningRate(), point.steps(), NoiseMultiplier.of(1));
    return method.released(last, problem, run);
  }
}
