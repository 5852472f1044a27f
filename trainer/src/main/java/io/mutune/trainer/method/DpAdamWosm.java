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
 * DP-Adam without second moments (Mohapatra et al. 2021): the noise is so much larger than the
 * gradient that Adam's √v̂ is nearly its deviation σC/L, which is public and takes its place. No
 * learning rate is left to choose; the number of steps is.
 *
 * <pre>
 *   m ← β₁m + (1 − β₁)g      w ← w − α·m/(1 − β₁ᵗ)      α = 0.001/(σC/L + 1e-8)
 * </pre>
 */
public final class DpAdamWosm implements TrainingMethod {
  /** β₁. */
  public static final double MEAN_DECAY = 0.9;

  private static final double BASE_RATE = 0.001;
  private static final double EPSILON = 1e-8;

  /**
   * The method's hyperparameters; all public.
   *
   * @param steps T, at least 1
   * @param start a public model; zero weights where there is none
   */
  public record Settings(int steps, NoisyGradient gradient, Optional<LinearModel> start) {
    public Settings {
      Require.steps(steps);
      StartWeights.check(start, gradient.columns());
    }
  }

  private final Settings settings;

  public DpAdamWosm(Settings settings) {
    this.settings = settings;
  }

  /** α. */
  public double learningRate() {
    NoisyGradient gradient = settings.gradient();
    double deviation =
        gradient.sigma().value() * gradient.clipNorm().value() / gradient.expectedRows();
    return BASE_RATE / (deviation + EPSILON);
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
    UpdateRule rule = new FirstMoment(learningRate(), MEAN_DECAY);
    return SampledDescent.train(
        settings.steps(), settings.gradient(), settings.start(), rule, rows, run);
  }
}
