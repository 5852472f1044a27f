package io.mutune.trainer.method.descent;

import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
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
 * DP-SGD (Abadi et al. 2016): descent with momentum along the {@link NoisyGradient} of Poisson
 * samples.
 *
 * @param momentum β, in [0, 1)
 * @param freeStep whether to end with a step without a gradient
 */
public record DpSgd(NoisyGradient gradient, double momentum, boolean freeStep, Start start)
    implements GradientMethod {
  /** The method by its name and settings in sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "dp-sgd",
          List.<Setting<?>>of(
              NoisyGradient.SAMPLING_RATE,
              SharedSettings.BATCH_SIZE,
              NoisyGd.MOMENTUM,
              NoisyGd.FREE_STEP,
              Start.FromLabelNames.SECTION,
              Start.SETTING,
              SharedSettings.CLIP_NORM.orSearched()),
          DpSgd::read);

  public DpSgd {
    Require.momentum(momentum);
  }

  private static DpSgd read(MethodSettings given) {
    double rate = NoisyGradient.readSamplingRate(given, TYPE.name());
    double momentum = given.get(NoisyGd.MOMENTUM);
    boolean freeStep = given.get(NoisyGd.FREE_STEP);
    Start start = given.start();
    return new DpSgd(
        NoisyGradient.ofSamples(SharedSettings.readClipNorm(given), rate),
        momentum,
        freeStep,
        start);
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public TrainingMethod withGradient(NoisyGradient other) {
    return new DpSgd(other, momentum, freeStep, start);
  }

  @Override
  public Searched searched() {
    return Searched.RADIUS;
  }

  @Override
  public UpdateRule rule(Problem problem, Run run, double[] first) {
    return new Momentum(run.learningRate(), momentum, freeStep);
  }

  @Override
  public Optional<Velocity> velocity(Problem problem, PublicInputs inputs, double[] first) {
    return Optional.of(gradient.velocity(problem, momentum, 1));
  }
}
