package io.mutune.trainer.method.descent;

import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.Velocity;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Optional;

/**
 * DP-Adam without second moments (Mohapatra et al. 2021): the noise is so much larger than the
 * gradient that Adam's √v̂ is nearly its deviation σC/L, which is public and takes its place. No
 * learning rate is left to choose; the number of steps is.
 *
 * <pre>
 *   m ← β₁m + (1 − β₁)g      w ← w − α·m/(1 − β₁ᵗ)      α = 0.001/(σC/L + 1e-8)
 * </pre>
 */
public record DpAdamWosm(NoisyGradient gradient, Start start) implements GradientMethod {
  /** β₁. */
  private static final double MEAN_DECAY = 0.9;

  private static final double BASE_RATE = 0.001;
  private static final double EPSILON = 1e-8;

  /** The method by its name and settings in sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "dp-adam-wosm",
          List.<Setting<?>>of(
              NoisyGradient.SAMPLING_RATE,
              SharedSettings.BATCH_SIZE,
              Start.FromLabelNames.SECTION,
              Start.SETTING,
              SharedSettings.CLIP_NORM.orSearched()),
          DpAdamWosm::read);

  private static DpAdamWosm read(MethodSettings given) {
    double rate = NoisyGradient.readSamplingRate(given, TYPE.name());
    Start start = given.start();
    return new DpAdamWosm(NoisyGradient.ofSamples(SharedSettings.readClipNorm(given), rate), start);
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public TrainingMethod withGradient(NoisyGradient other) {
    return new DpAdamWosm(other, start);
  }

  @Override
  public Searched searched() {
    return Searched.STEPS;
  }

  /** The learning rate α, which follows from public numbers. */
  double learningRate(Problem problem, Run run) {
    double deviation =
        run.sigma().value() * gradient.clipNorm().value() / gradient.expectedRows(problem);
    return BASE_RATE / (deviation + EPSILON);
  }

  @Override
  public UpdateRule rule(Problem problem, Run run, double[] first) {
    return new FirstMoment(learningRate(problem, run), MEAN_DECAY);
  }

  @Override
  public Optional<Velocity> velocity(Problem problem, PublicInputs inputs, double[] first) {
    return Optional.of(gradient.velocity(problem, MEAN_DECAY, 1 - MEAN_DECAY));
  }

  /**
   * m ← β₁m + (1 − β₁)g, w ← w − α·m/(1 − β₁ᵗ). Remembers m and t, the number of gradients there
   * were: a step that was lost in a crash is none.
   *
   * @param learningRate α
   * @param meanDecay β₁
   */
  private record FirstMoment(double learningRate, double meanDecay) implements UpdateRule {
    @Override
    public int memoryLength(int weights) {
      return Math.addExact(weights, 1);
    }

    @Override
    public void apply(int step, double[] weights, double[] memory, double[] gradient) {
      int length = weights.length;
      double gradients = ++memory[length];
      double share = 1 - Math.pow(meanDecay, gradients);
      for (int i = 0; i < length; i++) {
        memory[i] = meanDecay * memory[i] + (1 - meanDecay) * gradient[i];
        weights[i] -= learningRate * memory[i] / share;
      }
    }
  }
}
