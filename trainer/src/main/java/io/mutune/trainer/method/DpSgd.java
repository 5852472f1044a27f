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
 * DP-SGD (Abadi et al. 2016, Algorithm 1) on Poisson samples, with the momentum and the free step
 * of {@link NoisyGd}. With a sampling rate of 1 it is that method.
 */
public final class DpSgd implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param learningRate η, finite and above 0
   * @param steps T, at least 1
   * @param momentum β, in [0, 1)
   * @param freeStep whether to end with a step without a gradient
   * @param start a public model; zero weights where there is none
   */
  public record Settings(
      double learningRate,
      int steps,
      double momentum,
      boolean freeStep,
      NoisyGradient gradient,
      Optional<LinearModel> start) {
    public Settings {
      Require.learningRate(learningRate);
      Require.steps(steps);
      Require.momentum(momentum);
      StartWeights.check(start, gradient.columns());
    }
  }

  private final Settings settings;

  public DpSgd(Settings settings) {
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
    Momentum rule = new Momentum(settings.learningRate(), settings.momentum(), settings.freeStep());
    return SampledDescent.train(
        settings.steps(), settings.gradient(), settings.start(), rule, rows, run);
  }
}
