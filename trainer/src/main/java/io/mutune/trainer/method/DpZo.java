package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedLosses;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import java.util.Optional;
import java.util.OptionalInt;

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
 */
public final class DpZo implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param learningRate η, finite and above 0
   * @param steps T, at least 1
   * @param perturbation φ, finite and above 0
   * @param clipNorm C, of each row's sᵢ
   * @param sigma σ, the noise's standard deviation over C
   * @param directionSeed where the directions come from; not secret
   * @param adjacency which neighbours the charge is for
   * @param publicRows N, at least 1
   * @param classes as many as the loss is made for
   * @param start a public model; zero weights where there is none
   */
  public record Settings(
      double learningRate,
      int steps,
      double perturbation,
      ClipNorm clipNorm,
      NoiseMultiplier sigma,
      long directionSeed,
      Adjacency adjacency,
      long publicRows,
      Loss loss,
      int classes,
      Optional<LinearModel> start) {
    public Settings {
      Require.learningRate(learningRate);
      Require.steps(steps);
      Require.that(perturbation > 0 && Double.isFinite(perturbation), "perturbation", perturbation);
      Require.publicRows(publicRows);
      StartWeights.check(start, loss.columns(classes));
    }
  }

  private final Settings settings;

  public DpZo(Settings settings) {
    this.settings = settings;
  }

  /** T numbers, to each of which a row adds at most C, in units of C. */
  @Override
  public Gaussian mechanism() {
    return new Gaussian(settings.sigma(), settings.adjacency().sumSensitivity(), settings.steps());
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
    int features = rows.blocks().columns();
    int columns = settings.loss().columns(settings.classes());
    double[] start = StartWeights.of(settings.start(), features, columns);
    Momentum rule = new Momentum(settings.learningRate(), 0, false);
    double[] weights = Descent.run(settings.steps(), start, rule, () -> new Slope(rows, run), run);
    return new LinearModel(features, columns, weights);
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
  private final class Slope implements Question {
    private final ClippedLosses losses;
    private final TrainingRun run;
    private final SeededNoise directions = new SeededNoise(settings.directionSeed());

    Slope(PrivateRows rows, TrainingRun run) {
      this.losses = new ClippedLosses(rows, settings.loss(), settings.classes());
      this.run = run;
    }

    @Override
    public void ask(int step, double[] weights, double[] gradient) {
      double[] z = direction(directions, step, weights.length);
      double[] plus = weights.clone();
      double[] minus = weights.clone();
      for (int i = 0; i < z.length; i++) {
        plus[i] += settings.perturbation() * z[i];
        minus[i] -= settings.perturbation() * z[i];
      }
      double[] sum = {losses.slopes(plus, minus, 2 * settings.perturbation(), settings.clipNorm())};
      double deviation = settings.sigma().value() * settings.clipNorm().value();
      run.noise().stream(run.streams().step(step)).addTo(sum, deviation);
      for (int i = 0; i < z.length; i++) {
        gradient[i] = z[i] * sum[0] / settings.publicRows();
      }
    }

    @Override
    public void close() {}
  }
}
