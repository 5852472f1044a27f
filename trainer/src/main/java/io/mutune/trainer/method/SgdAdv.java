package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.renyi.Amplification;
import io.mutune.accountant.renyi.SimpleComposition;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.Grid;
import java.util.Optional;

/**
 * Noisy stochastic gradient descent whose noise follows from advanced composition (Bassily, Smith
 * and Thakurta 2014), the baseline <i>SgdAdv</i> of PPSGD's table: equal noise at every step, and a
 * learning rate that falls as η/√t.
 *
 * <p>What is charged is what happens, Gaussian noise on Poisson samples; {@link #noise} is where
 * the older, looser theorem comes in. The paper samples single rows uniformly and assumes a
 * Lipschitz constant; here rows take part independently and gradients are clipped.
 */
public final class SgdAdv implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param learningRate η, finite and above 0
   * @param steps T, at least 1
   * @param weightDecay λ, beside the mean loss; finite and at least 0
   */
  public record Settings(
      double learningRate, int steps, double weightDecay, NoisyGradient gradient) {
    public Settings {
      Require.learningRate(learningRate);
      Require.steps(steps);
      Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
    }
  }

  private static final double MOST_NOISE = 0x1p60;

  /** How near to the least noise that keeps the budget, relatively. */
  private static final double ACCURACY = 1e-9;

  private final Settings settings;

  public SgdAdv(Settings settings) {
    this.settings = settings;
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
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    FallingStep rule = new FallingStep(settings.learningRate(), settings.weightDecay());
    return SampledDescent.train(
        settings.steps(), settings.gradient(), Optional.empty(), rule, rows, run);
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
