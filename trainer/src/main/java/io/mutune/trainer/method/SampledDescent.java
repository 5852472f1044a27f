package io.mutune.trainer.method;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.LinearModel;
import java.util.Optional;

/** What the methods on a {@link NoisyGradient} have in common once their charge is checked. */
final class SampledDescent {
  private SampledDescent() {}

  static LinearModel train(
      int steps,
      NoisyGradient gradient,
      Optional<LinearModel> start,
      UpdateRule rule,
      PrivateRows rows,
      TrainingRun run) {
    int features = rows.blocks().columns();
    double[] weights =
        Descent.run(
            steps,
            StartWeights.of(start, features, gradient.columns()),
            rule,
            () -> gradient.question(rows, run),
            run);
    return new LinearModel(features, gradient.columns(), weights);
  }
}
