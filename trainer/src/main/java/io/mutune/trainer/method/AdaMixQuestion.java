package io.mutune.trainer.method;

import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedSum;
import io.mutune.trainer.model.LeadingDirections;
import io.mutune.trainer.model.PublicGradients;
import io.mutune.trainer.model.RowSample;

/** One step's question of {@link AdaMix}, with what the public rows say to it. */
final class AdaMixQuestion implements Question {
  private final AdaMix.Settings settings;
  private final int features;
  private final int columns;
  private final ClippedSum sum;
  private final PublicGradients publicGradients;
  private final TrainingRun run;
  private final double[] publicSum;

  AdaMixQuestion(
      AdaMix.Settings settings,
      int features,
      int columns,
      ClippedSum sum,
      PublicGradients publicGradients,
      TrainingRun run) {
    this.settings = settings;
    this.features = features;
    this.columns = columns;
    this.sum = sum;
    this.publicGradients = publicGradients;
    this.run = run;
    this.publicSum = new double[features * columns];
  }

  @Override
  public void ask(int step, double[] weights, double[] gradient) {
    double[] norms = publicGradients.compute(weights, publicSum);
    ClipNorm clip = settings.clip().at(norms);
    sum.compute(weights, clip, RowSample.ALL, gradient);
    release(step, settings.sigma().value() * clip.value(), gradient);
    double scale = clip.value() * settings.publicRows();
    for (int i = 0; i < gradient.length; i++) {
      double ofPublic = settings.publicGradient() ? publicSum[i] : 0;
      gradient[i] = (ofPublic + gradient[i] + settings.weightDecay() * weights[i]) / scale;
    }
  }

  /** Adds the noise, in the projection where there is one: the rest of the space is not asked. */
  private void release(int step, double deviation, double[] gradient) {
    if (settings.directions().isEmpty()) {
      run.noise().stream(run.streams().step(step)).addTo(gradient, deviation);
      return;
    }
    LeadingDirections basis =
        LeadingDirections.of(publicSum, features, columns, settings.directions().getAsInt());
    double[] coordinates = basis.project(gradient, columns);
    run.noise().stream(run.streams().step(step)).addTo(coordinates, deviation);
    basis.lift(coordinates, columns, gradient);
  }

  @Override
  public void close() {
    sum.close();
  }
}
