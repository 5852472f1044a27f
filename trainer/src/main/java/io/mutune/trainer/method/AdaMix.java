package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedSum;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.model.PublicGradients;
import io.mutune.trainer.noise.ChargedNoise;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * AdaMix, Algorithm 2 of Golatkar et al., <i>Mixed Differential Privacy in Computer Vision</i>
 * (CVPR 2022): noisy gradient descent from a model of the public rows, which at every step also say
 * where to clip, along which directions to ask, and where the public gradient points.
 *
 * <pre>
 *   τ ← quantile of ‖∇ℓ_pub(w)‖      U ← leading P directions of G_pub(w) = Σ∇ℓ_pub(w)
 *   G̃ ← Uᵀ Σ clip_τ(∇ℓ(w)) + N(0, σ²τ²), one draw for each of its P × columns numbers
 *   w ← w − η (G_pub + U·G̃ + λw) / (τN)
 * </pre>
 *
 * <p>The paper's step is along the sum, η(G_pub + …); dividing by the public N makes it one of
 * means as elsewhere here, and dividing by τ makes the learning rate independent of how small
 * gradients have become: the noise that T steps leave in a logit of a row of unit norm is ηT/((1 −
 * β)μN) as for NoisyGD with C = 1. τ and U depend on public rows and released weights alone, so σ
 * is relative to τ and the charge is T Gaussian releases. The paper keeps 2000 of 2048 directions,
 * though G_pub has no more than one a class: the basis is completed beyond its rank ({@link
 * io.mutune.trainer.model.LeadingDirections}).
 */
public final class AdaMix implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param learningRate η, finite and above 0
   * @param steps T, at least 1
   * @param momentum β, in [0, 1); the paper has none
   * @param clip how τ is chosen
   * @param directions P, at least 1 and at most the number of features; empty for all, unprojected
   * @param publicGradient whether G_pub is part of the step
   * @param weightDecay λ, beside the sum of the rows' losses; finite and at least 0; 0.01 in the
   *     paper
   * @param sigma σ, the noise's standard deviation over τ
   * @param adjacency which neighbours the charge is for
   * @param publicRows N, the public statement about the number of <i>private</i> rows, at least 1
   * @param classes as many as the loss is made for
   */
  public record Settings(
      double learningRate,
      int steps,
      double momentum,
      ClipRule clip,
      OptionalInt directions,
      boolean publicGradient,
      double weightDecay,
      NoiseMultiplier sigma,
      Adjacency adjacency,
      long publicRows,
      Loss loss,
      int classes) {
    public Settings {
      Require.learningRate(learningRate);
      Require.steps(steps);
      Require.momentum(momentum);
      directions.ifPresent(p -> Require.that(p >= 1, "number of directions", p));
      Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
      Require.publicRows(publicRows);
      loss.columns(classes);
    }
  }

  private final Settings settings;
  private final PublicRows rows;
  private final LinearModel start;

  /**
   * Checks all that is public, so that the charge is not wasted on it.
   *
   * @param rows public rows of every class, with the private rows' features
   * @param start the model to go on from: {@link PublicTraining} on the public rows as in the
   *     paper, a text encoder's, or zero
   * @throws IllegalArgumentException if there are no rows, a label is no class, a class has no row,
   *     the start or the projection has another width, or τ is 0 at the start
   */
  public AdaMix(Settings settings, PublicRows rows, LinearModel start) {
    this.settings = settings;
    this.rows = rows;
    this.start = start;
    int features = rows.blocks().columns();
    int columns = settings.loss().columns(settings.classes());
    PublicRowsCheck.require(rows, settings.classes());
    StartWeights.check(Optional.of(start), columns);
    StartWeights.checkFeatures(features, start.features());
    settings.directions().ifPresent(p -> Require.that(p <= features, "number of directions", p));
    double[] norms =
        publicGradients().compute(start.weights(), new double[features * columns]).clone();
    if (settings.clip() instanceof ClipRule.Quantile quantile && quantile.of(norms) == 0) {
      throw new IllegalArgumentException(
          "the public rows' gradients are 0 at the start, and with them the clip norm");
    }
  }

  private PublicGradients publicGradients() {
    return new PublicGradients(rows, settings.loss(), settings.classes());
  }

  /** T sums of norm at most τ a row, in units of τ. */
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
    return OptionalInt.of(start.features());
  }

  @Override
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    int features = rows.blocks().columns();
    StartWeights.checkFeatures(features, start.features());
    Momentum rule = new Momentum(settings.learningRate(), settings.momentum(), false);
    double[] weights =
        Descent.run(settings.steps(), start.weights(), rule, () -> question(rows, run), run);
    return new LinearModel(features, start.columns(), weights);
  }

  private Question question(PrivateRows rows, TrainingRun run) {
    // Every sum has a clip norm of its own; this one is never used.
    ClippedSum sum = run.engine().open(rows, settings.loss(), settings.classes(), ClipNorm.of(1));
    return new AdaMixQuestion(
        settings, start.features(), start.columns(), sum, publicGradients(), run);
  }
}
