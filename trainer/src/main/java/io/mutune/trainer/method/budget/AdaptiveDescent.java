package io.mutune.trainer.method.budget;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.PublicGradients;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.IterateStepper;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.StartWeights;
import io.mutune.trainer.method.StepLoop;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.model.LinearModel;
import org.jspecify.annotations.Nullable;

/**
 * A run of PPSGD or PPGD: steps of a budget that public gradients change, until what is left of the
 * total does not pay for another. What it remembers is ρ, C and what is left.
 *
 * <p>Steps that were lost in a crash are charged the most that they can have cost, as ρ may have
 * grown at each of them.
 */
final class AdaptiveDescent extends IterateStepper implements AutoCloseable {
  private static final int RHO = 0;
  private static final int CLIP = 1;
  private static final int LEFT = 2;

  private static final double LEAST_CLIP = 1e-30;

  private final Adaptation adaptation;
  private final AdaptiveTraining training;
  private final PublicGradients shown;
  private final long shownRows;
  private final PrivateRows rows;
  private final TrainingAttempt run;
  private final double[] gradient;
  private @Nullable ClippedSum sum;

  private AdaptiveDescent(
      AdaptiveTraining training, PrivateRows rows, TrainingAttempt run, Iterate from) {
    super(from);
    this.adaptation = training.adaptation;
    this.training = training;
    this.shown =
        new PublicGradients(training.shown, training.problem.loss(), training.problem.classes());
    this.shownRows = training.shown.blocks().rows();
    this.rows = rows;
    this.run = run;
    this.gradient = new double[weights.length];
  }

  static LinearModel train(AdaptiveTraining training, PrivateRows rows, TrainingAttempt run) {
    Adaptation adaptation = training.adaptation;
    Problem problem = training.problem;
    int features = rows.columns();
    int columns = problem.columns();
    StartWeights.checkFeatures(features, training.shown.blocks().columns());
    double[] start = new double[Math.multiplyExact(features, columns)];
    double[] first = {training.firstRho(), adaptation.clipNorm().value(), training.totalRho()};
    Iterate from = run.start(start, first);
    AdaptiveDescent descent = new AdaptiveDescent(training, rows, run, from);
    try (descent) {
      StepLoop.run(training.steps(), descent, run);
    }
    LinearModel released = new LinearModel(features, columns, descent.weights);
    return adaptation
        .reuse()
        .map(weight -> ModelReuse.fitted(released, training.shown, problem, weight))
        .orElse(released);
  }

  @Override
  public void close() {
    if (sum != null) {
      sum.close();
    }
  }

  @Override
  public boolean iteratesAreModels() {
    return true;
  }

  @Override
  public boolean finished() {
    return memory[LEFT] < memory[RHO];
  }

  @Override
  public void skipTo(int step) {
    double most = memory[RHO];
    while (asked < step) {
      asked++;
      spend(most);
      most = grown(most);
    }
  }

  @Override
  public void step() {
    asked++;
    ClipNorm clip = ClipNorm.of(memory[CLIP]);
    if (sum == null) { // a run with no step left reads no row
      Problem problem = training.problem;
      sum = run.engine().open(rows, problem.loss(), problem.classes(), adaptation.clipNorm());
    }
    sum.compute(weights, clip, training.sample(asked, run), gradient);
    double deviation = training.deviation(memory[RHO]) * clip.value();
    spend(memory[RHO]);
    run.noise().stream(run.streams().step(asked)).addTo(gradient, deviation);
    for (int i = 0; i < weights.length; i++) {
      double mean = gradient[i] / training.divisor() + adaptation.weightDecay() * weights[i];
      weights[i] -= adaptation.learningRate() * mean;
    }
    adapt(deviation / training.divisor());
  }

  /**
   * @param deviation of each coordinate of the mean gradient
   */
  private void adapt(double deviation) {
    shown.compute(weights, gradient);
    double norm = EuclideanNorm.of(gradient) / shownRows;
    if (adaptation.noiseRatio() * norm < deviation * Math.sqrt(weights.length)) {
      memory[RHO] = grown(memory[RHO]);
    }
    if (adaptation.clipRatio() * norm < memory[CLIP]) {
      memory[CLIP] = Math.max(LEAST_CLIP, (1 - adaptation.clipShrink()) * memory[CLIP]);
    }
  }

  private double grown(double rho) {
    return Math.max(rho, Math.min(training.greatestRho(), (1 + adaptation.rhoGrowth()) * rho));
  }

  private void spend(double rho) {
    memory[LEFT] = BudgetMethod.left(memory[LEFT], rho);
  }
}
