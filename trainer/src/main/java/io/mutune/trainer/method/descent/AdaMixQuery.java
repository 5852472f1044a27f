package io.mutune.trainer.method.descent;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.LeadingDirections;
import io.mutune.trainer.gradient.PublicGradients;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.TrainingAttempt;
import java.util.Optional;

/** One step's query of {@link AdaMix}, with what the public rows say to it. */
record AdaMixQuery(
    AdaMix method,
    Problem problem,
    NoiseMultiplier sigma,
    ClippedSum sum,
    PublicGradients publicGradients,
    TrainingAttempt attempt)
    implements StepQuery {
  @Override
  public void ask(int step, double[] weights, double[] gradient) {
    double[] publicSum = new double[weights.length];
    double[] norms = publicGradients.compute(weights, publicSum);
    ClipNorm clip = method.clip().at(norms);
    sum.compute(weights, clip, RowSample.ALL, gradient);
    int columns = problem.columns();
    // In the projection where there is one: the rest of the space is not asked.
    Optional<LeadingDirections> basis = method.basis(publicSum, columns);
    double[] released = basis.map(u -> u.project(gradient, columns)).orElse(gradient);
    attempt.noise().stream(attempt.streams().step(step))
        .addTo(released, sigma.value() * clip.value());
    basis.ifPresent(u -> u.lift(released, columns, gradient));
    double scale = clip.value() * problem.publicRows();
    double decay = method.weightDecay(weights, scale);
    for (int i = 0; i < gradient.length; i++) {
      double ofPublic = method.publicGradient() ? publicSum[i] : 0;
      gradient[i] = (ofPublic + gradient[i] + decay * weights[i]) / scale;
    }
  }

  @Override
  public void close() {
    sum.close();
  }
}
