package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.renyi.Amplification;
import io.mutune.accountant.renyi.SimpleComposition;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;

/**
 * Noisy stochastic gradient descent whose noise follows from advanced composition (Bassily, Smith
 * and Thakurta 2014), the baseline <i>SgdAdv</i> of PPSGD's table: equal noise at every step, and a
 * learning rate that falls as η/√t.
 *
 * <p>What is charged is what happens, Gaussian noise on Poisson samples; {@link #noise} is where
 * the older, looser theorem comes in. The paper samples single rows uniformly and assumes a
 * Lipschitz constant; here rows take part independently and gradients are clipped.
 *
 * @param weightDecay λ, beside the mean loss; finite and at least 0
 */
public record SgdAdv(NoisyGradient gradient, double weightDecay) implements GradientMethod {
  /** λ beside the mean of the losses. */
  static final Setting<Double> WEIGHT_DECAY =
      Setting.number("weightDecay", NumberRule.NOT_NEGATIVE, "beside the mean of the losses")
          .usually(0.0);

  /** In sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "sgd-adv",
          List.<Setting<?>>of(
              NoisyGradient.SAMPLING_RATE,
              NoisyGradient.BATCH_SIZE,
              WEIGHT_DECAY,
              NoisyGradient.CLIP_NORM.orSearched()),
          SgdAdv::read);

  private static final double MOST_NOISE = 0x1p60;

  /** How near to the least noise that keeps the budget, relatively. */
  private static final double ACCURACY = 1e-9;

  public SgdAdv {
    Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
  }

  private static SgdAdv read(MethodSettings given) {
    double rate = NoisyGradient.readSamplingRate(given, TYPE.name());
    double weightDecay = given.get(WEIGHT_DECAY);
    return new SgdAdv(
        NoisyGradient.ofSamples(NoisyGradient.readClipNorm(given), rate), weightDecay);
  }

  @Override
  public String name() {
    return TYPE.name();
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

  /**
   * The noise that advanced composition asks for. A step is (ε₁, δ₁)-DP without sampling, by the
   * exact δ of a Gaussian, then amplified; half of δ is for the theorem's slack and half is spread
   * over the steps. A replaced row is in the sample with probability q like any other, so the
   * amplification holds for both adjacencies.
   *
   * @param steps T, at least 1
   * @param samplingRate q
   * @throws IllegalArgumentException if no noise keeps the budget
   */
  public static NoiseMultiplier noise(
      Epsilon epsilon, Delta delta, int steps, double samplingRate, Adjacency adjacency) {
    Require.steps(steps);
    Delta slack = Delta.of(delta.value() / 2);
    Delta unsampled = Delta.of(Math.min(0.5, slack.value() / steps / samplingRate * (1 - 1e-9)));
    double enough = 1;
    while (!keeps(enough, epsilon, slack, unsampled, steps, samplingRate, adjacency)) {
      enough *= 2;
      if (enough > MOST_NOISE) {
        throw new IllegalArgumentException(
            "no noise keeps epsilon %s at delta %s by advanced composition"
                .formatted(epsilon.value(), delta.value()));
      }
    }
    double tooLittle = 0;
    while (enough - tooLittle > ACCURACY * enough) {
      double middle = (enough + tooLittle) / 2;
      if (keeps(middle, epsilon, slack, unsampled, steps, samplingRate, adjacency)) {
        enough = middle;
      } else {
        tooLittle = middle;
      }
    }
    return NoiseMultiplier.of(enough);
  }

  private static boolean keeps(
      double sigma,
      Epsilon epsilon,
      Delta slack,
      Delta unsampled,
      int steps,
      double samplingRate,
      Adjacency adjacency) {
    GaussianDp one =
        GaussianDp.ofGaussian(NoiseMultiplier.of(sigma), adjacency.sumSensitivity(), 1);
    Epsilon sampled = Amplification.epsilon(one.epsilon(unsampled), samplingRate);
    Delta failure = Amplification.delta(unsampled, samplingRate);
    if (steps * sampled.value() > epsilon.value() && sampled.value() > 1) {
      return false;
    }
    SimpleComposition all = SimpleComposition.advanced(sampled, failure, steps, slack);
    return all.epsilon().value() <= epsilon.value() && all.delta().value() <= 2 * slack.value();
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
