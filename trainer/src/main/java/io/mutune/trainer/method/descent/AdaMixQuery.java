package io.mutune.trainer.method.descent;

import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.LeadingDirections;
import io.mutune.trainer.gradient.PublicGradients;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.TrainingRun;

/** One step's query of {@link AdaMix}, with what the public rows say to it. */
final class AdaMixQuery implements StepQuery {
  private final AdaMix method;
  private final Problem problem;
  private final double sigma;
  private final ClippedSum sum;
  private final PublicGradients publicGradients;
  private final TrainingRun attempt;
  private final double[] publicSum;

  /**
   * @param length of the weights
   */
  AdaMixQuery(
      AdaMix method,
      Problem problem,
      Run run,
      ClippedSum sum,
      PublicGradients publicGradients,
      TrainingRun attempt,
      int length) {
    this.method = method;
    this.problem = problem;
    this.sigma = run.sigma().value();
    this.sum = sum;
    this.publicGradients = publicGradients;
    this.attempt = attempt;
    this.publicSum = new double[length];
  }

  @Override
  public void ask(int step, double[] weights, double[] gradient) {
    double[] norms = publicGradients.compute(weights, publicSum);
    ClipNorm clip = method.clip().at(norms);
    sum.compute(weights, clip, RowSample.ALL, gradient);
    release(step, sigma * clip.value(), gradient);
    double scale = clip.value() * problem.publicRows();
    double decay = method.weightDecay(weights, scale);
    for (int i = 0; i < gradient.length; i++) {
      double ofPublic = method.publicGradient() ? publicSum[i] : 0;
      gradient[i] = (ofPublic + gradient[i] + decay * weights[i]) / scale;
    }
  }

  /** Adds the noise, in the projection where there is one: the rest of the space is not asked. */
  private void release(int step, double deviation, double[] gradient) {
    if (method.directions().isEmpty()) {
      attempt.noise().stream(attempt.streams().step(step)).addTo(gradient, deviation);
      return;
    }
    int columns = problem.columns();
    LeadingDirections basis =
        LeadingDirections.of(
            publicSum, gradient.length / columns, columns, method.directions().getAsInt());
    double[] coordinates = basis.project(gradient, columns);
    attempt.noise().stream(attempt.streams().step(step)).addTo(coordinates, deviation);
    basis.lift(coordinates, columns, gradient);
  }

  @Override
  public void close() {
    sum.close();
  }
}
