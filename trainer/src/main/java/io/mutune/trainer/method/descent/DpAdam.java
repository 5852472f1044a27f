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
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Optional;

/**
 * DP-Adam: the noisy gradient of DP-SGD, then Adam's update, which reads no row. One of what linear
 * scaling is compared with (Panda et al. 2024).
 *
 * @param beta1 decay of the mean, in [0, 1)
 * @param beta2 decay of the squares, in [0, 1)
 * @param epsilon of Adam's denominator, no privacy parameter; finite and above 0
 */
public record DpAdam(
    NoisyGradient gradient, double beta1, double beta2, double epsilon, Start start)
    implements GradientMethod {
  private static final Setting<Double> BETA1 =
      Setting.number("beta1", NumberRule.BELOW_ONE, "").usually(0.9);
  private static final Setting<Double> BETA2 =
      Setting.number("beta2", NumberRule.BELOW_ONE, "").usually(0.999);
  private static final Setting<Double> EPSILON =
      Setting.number("adamEpsilon", NumberRule.fromTo(1e-12, 1), "").usually(1e-8);

  /** The method by its name and settings in sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "dp-adam",
          List.<Setting<?>>of(
              NoisyGradient.SAMPLING_RATE,
              SharedSettings.BATCH_SIZE,
              BETA1,
              BETA2,
              EPSILON,
              Start.FromLabelNames.SECTION,
              Start.SETTING,
              SharedSettings.CLIP_NORM.orSearched()),
          DpAdam::read);

  public DpAdam {
    new Adam(1, beta1, beta2, epsilon).memoryLength(1);
  }

  /** With Adam's own β₁ = 0.9, β₂ = 0.999 and ε̂ = 1e-8, from zero weights. */
  public static DpAdam of(NoisyGradient gradient) {
    return new DpAdam(gradient, 0.9, 0.999, 1e-8, Start.zero());
  }

  private static DpAdam read(MethodSettings given) {
    double rate = NoisyGradient.readSamplingRate(given, TYPE.name());
    double beta1 = given.get(BETA1);
    double beta2 = given.get(BETA2);
    double epsilon = given.get(EPSILON);
    Start start = given.start();
    return new DpAdam(
        NoisyGradient.ofSamples(SharedSettings.readClipNorm(given), rate),
        beta1,
        beta2,
        epsilon,
        start);
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public TrainingMethod withGradient(NoisyGradient other) {
    return new DpAdam(other, beta1, beta2, epsilon, start);
  }

  @Override
  public Searched searched() {
    return Searched.LEARNING_RATE;
  }

  @Override
  public UpdateRule rule(Problem problem, Run run, double[] first) {
    return new Adam(run.learningRate(), beta1, beta2, epsilon);
  }

  @Override
  public Optional<Velocity> velocity(Problem problem, PublicInputs inputs, double[] first) {
    return Optional.of(gradient.velocity(problem, beta1, 1 - beta1));
  }
}
