package io.mutune.trainer.method.descent;

import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.setting.Setting;
import java.util.List;

/**
 * Noisy stochastic gradient descent (Bassily, Smith and Thakurta 2014), the baseline <i>SgdAdv</i>
 * of PPSGD's table: equal noise at every step, and a learning rate that falls as η/√t.
 *
 * <p>What is charged is what happens, Gaussian noise on Poisson samples; the paper's noise follows
 * from advanced composition, which is looser. The paper samples single rows uniformly and assumes a
 * Lipschitz constant; here rows take part independently and gradients are clipped.
 *
 * @param weightDecay λ, beside the mean loss; finite and at least 0
 */
public record SgdAdv(NoisyGradient gradient, double weightDecay) implements GradientMethod {
  /** The method by its name and settings in sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "sgd-adv",
          List.<Setting<?>>of(
              NoisyGradient.SAMPLING_RATE,
              SharedSettings.BATCH_SIZE,
              SharedSettings.WEIGHT_DECAY,
              SharedSettings.CLIP_NORM.orSearched()),
          SgdAdv::read);

  public SgdAdv {
    Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
  }

  private static SgdAdv read(MethodSettings given) {
    double rate = NoisyGradient.readSamplingRate(given, TYPE.name());
    double weightDecay = given.get(SharedSettings.WEIGHT_DECAY);
    return new SgdAdv(
        NoisyGradient.ofSamples(SharedSettings.readClipNorm(given), rate), weightDecay);
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public TrainingMethod withGradient(NoisyGradient other) {
    return new SgdAdv(other, weightDecay);
  }

  @Override
  public Searched searched() {
    return Searched.LEARNING_RATE;
  }

  @Override
  public UpdateRule rule(Problem problem, Run run, double[] first) {
    return new FallingStep(run.learningRate(), weightDecay);
  }

  /** w ← w − (η/√t)(g + λw). Remembers nothing. */
  private record FallingStep(double learningRate, double weightDecay) implements UpdateRule {
    @Override
    public int memoryLength(int weights) {
      return 0;
    }

    @Override
    public void apply(int step, double[] weights, double[] memory, double[] gradient) {
      double rate = learningRate / Math.sqrt(step);
      for (int i = 0; i < weights.length; i++) {
        weights[i] -= rate * (gradient[i] + weightDecay * weights[i]);
      }
    }
  }
}
