package io.mutune.trainer.method.descent;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedLosses;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;

/**
 * DP-ZO, zeroth-order descent (Tang et al. 2024): each step asks for a single number, how the loss
 * changes along a random direction that everybody may know.
 *
 * <pre>
 *   sᵢ = clip_C((ℓᵢ(w + φz) − ℓᵢ(w − φz)) / 2φ)     w ← w − ηz(Σsᵢ + N(0, σ²C²)) / N
 * </pre>
 *
 * <p>z is uniform on the sphere of radius √d, so that a step is on average one along the gradient;
 * it comes from a public seed. The paper divides by the batch; N here is the public number of rows.
 *
 * @param clipNorm C, of each row's sᵢ
 * @param smoothing φ, how far apart the two losses are; finite and above 0
 * @param directionSeed where the directions come from; public
 */
public record DpZo(ClipNorm clipNorm, double smoothing, long directionSeed, Start start)
    implements DescentMethod {
  private static final Setting<Double> SMOOTHING =
      Setting.number("smoothing", NumberRule.HYPERPARAMETER, "").usually(1e-3);
  private static final Setting<Long> DIRECTION_SEED =
      Setting.count("directionSeed", 0, (1L << 53) - 1, "public").usually(0L);

  /** The method by its name and settings in sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "dp-zo",
          List.<Setting<?>>of(
              SharedSettings.CLIP_NORM,
              SMOOTHING,
              DIRECTION_SEED,
              Start.FromLabelNames.SECTION,
              Start.SETTING),
          given ->
              new DpZo(
                  SharedSettings.readClipNorm(given),
                  given.get(SMOOTHING),
                  given.get(DIRECTION_SEED),
                  given.start()));

  public DpZo {
    Require.that(smoothing > 0 && Double.isFinite(smoothing), "smoothing", smoothing);
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public Searched searched() {
    return Searched.LEARNING_RATE;
  }

  /** T numbers, to each of which a row adds at most C, in units of C. */
  @Override
  public Gaussian mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    return new Gaussian(sigma, problem.adjacency().sumSensitivity(), steps);
  }

  @Override
  public UpdateRule rule(Problem problem, Run run, double[] first) {
    return new Momentum(run.learningRate(), 0, false);
  }

  @Override
  public StepQuery query(
      Problem problem, Run run, PublicInputs inputs, PrivateRows rows, TrainingAttempt attempt) {
    return new Slope(this, problem, run, rows, attempt);
  }

  /** z of a step. */
  private static double[] direction(SeededNoise directions, int step, int length) {
    double[] z = new double[length];
    directions.stream(new StreamId("directions", 0, 0, step)).addTo(z, 1);
    double squares = 0;
    for (double value : z) {
      squares += value * value;
    }
    double scale = Math.sqrt(length / squares);
    for (int i = 0; i < length; i++) {
      z[i] *= scale;
    }
    return z;
  }

  /** The noisy slope along z, as a gradient. */
  private static final class Slope implements StepQuery {
    private final ClippedLosses losses;
    private final DpZo method;
    private final double deviation;
    private final long publicRows;
    private final TrainingAttempt attempt;
    private final SeededNoise directions;

    Slope(DpZo method, Problem problem, Run run, PrivateRows rows, TrainingAttempt attempt) {
      this.losses = new ClippedLosses(rows, problem.loss(), problem.classes());
      this.method = method;
      this.deviation = run.sigma().value() * method.clipNorm().value();
      this.publicRows = problem.publicRows();
      this.attempt = attempt;
      this.directions = new SeededNoise(method.directionSeed());
    }

    @Override
    public void ask(int step, double[] weights, double[] gradient) {
      double[] z = direction(directions, step, weights.length);
      double[] plus = weights.clone();
      double[] minus = weights.clone();
      for (int i = 0; i < z.length; i++) {
        plus[i] += method.smoothing() * z[i];
        minus[i] -= method.smoothing() * z[i];
      }
      double[] sum = {losses.slopes(plus, minus, 2 * method.smoothing(), method.clipNorm())};
      attempt.noise().stream(attempt.streams().step(step)).addTo(sum, deviation);
      for (int i = 0; i < z.length; i++) {
        gradient[i] = z[i] * sum[0] / publicRows;
      }
    }

    @Override
    public void close() {}
  }
}
