package io.mutune.trainer.method;

import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.Grid;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * DP-Adam: the noisy gradient of DP-SGD, then Adam's update, which reads no row. One of what linear
 * scaling is compared with (Panda et al. 2024).
 */
public final class DpAdam implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param learningRate α, finite and above 0
   * @param steps T, at least 1
   * @param meanDecay β₁, in [0, 1)
   * @param squareDecay β₂, in [0, 1)
   * @param epsilon ε̂ of Adam's denominator, no privacy parameter; finite and above 0
   * @param start a public model; zero weights where there is none
   */
  public record Settings(
      double learningRate,
      int steps,
      double meanDecay,
      double squareDecay,
      double epsilon,
      NoisyGradient gradient,
      Optional<LinearModel> start) {
    public Settings {
      new Adam(learningRate, meanDecay, squareDecay, epsilon).memoryLength(1);
      Require.steps(steps);
      StartWeights.check(start, gradient.columns());
    }

    /** With Adam's own β₁ = 0.9, β₂ = 0.999 and ε̂ = 1e-8, from zero weights. */
    public static Settings of(double learningRate, int steps, NoisyGradient gradient) {
      return new Settings(learningRate, steps, 0.9, 0.999, 1e-8, gradient, Optional.empty());
    }
  }

  private final Settings settings;

  public DpAdam(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Mechanism mechanism() {
    return settings.gradient().mechanism(settings.steps());
  }

  @Override
  public Optional<Grid> grid() {
    return SumRounding.grid(settings.gradient().rounding());
  }

  @Override
  public int steps() {
    return settings.steps();
  }

  @Override
  public OptionalInt features() {
    return StartWeights.features(settings.start());
  }

  @Override
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    Adam rule =
        new Adam(
            settings.learningRate(),
            settings.meanDecay(),
            settings.squareDecay(),
            settings.epsilon());
    return SampledDescent.train(
        settings.steps(), settings.gradient(), settings.start(), rule, rows, run);
  }
}
