package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.NormalStream;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * PNSGD: one pass of noisy stochastic gradient descent over the private rows, then passes over the
 * public ones (Feldman, Mironov, Talwar and Thakurta 2018, with public rows last as in their
 * Corollary 30). Its privacy comes from hiding all but the last iterate.
 *
 * <pre>
 *   w ← w − η(∇ℓᵢ(w) + λw + N(0, σ²L²I))     for i = 1 … N, then for the public rows, p steps in all
 * </pre>
 *
 * <p>Every step is a contraction, as η ≤ 2/(H + λ) for a loss of curvature H at rows of norm at
 * most 1, so what a replaced row moves, 2ηL at its own step, is covered by the noise of that step
 * and of all that follow: (2L)²/(2σ²L²k) of zCDP with k steps from its own to the last (Theorem
 * 23). The worst row is the last private one: ρ = 2/(σ²(p + 1)).
 *
 * <p>Rows take part in the order of the file. Adding or removing one would move all later ones, so
 * only replacement is charged. Position i has a step whether there is a row or not, and rows beyond
 * N have none. Rows longer than 1 are shortened to 1; losses whose slope jumps are refused, since
 * their steps are no contractions. Only the final model is ever released or stored.
 */
public final class Pnsgd implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param learningRate η, above 0 and at most 2/(H + λ)
   * @param weightDecay λ, beside each row's loss; finite and at least 0
   * @param sigma σ, the noise's standard deviation over the greatest norm L of a row's gradient
   * @param publicPasses how often the public rows are gone through at the end; at least 0
   * @param adjacency replace-one
   * @param publicRows N, at least 1
   * @param loss one whose slope does not jump
   * @param classes as many as the loss is made for
   */
  public record Settings(
      double learningRate,
      double weightDecay,
      NoiseMultiplier sigma,
      int publicPasses,
      Adjacency adjacency,
      long publicRows,
      Loss loss,
      int classes) {
    public Settings {
      Require.learningRate(learningRate);
      Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
      Require.that(publicPasses >= 0, "number of passes over the public rows", publicPasses);
      Require.replaceOne("PNSGD", adjacency);
      Require.publicRows(publicRows);
      double greatest = 2 / (Smoothness.required(loss, classes).curvature() + weightDecay);
      if (learningRate > greatest) {
        throw new IllegalArgumentException(
            "a step is a contraction for learning rates up to %s; was %s"
                .formatted(greatest, learningRate));
      }
    }
  }

  /** For the rounding of a few operations. */
  private static final double ROUNDED_UP = 1 + 0x1p-40;

  private final Settings settings;
  private final PublicRows shown;

  /**
   * @param shown the public rows, which no private row equals by anything but chance
   */
  public Pnsgd(Settings settings, PublicRows shown) {
    this.settings = settings;
    if (settings.publicPasses() > 0) {
      PublicRowsCheck.require(shown, settings.classes());
    }
    this.shown = new PublicRows(BoundedRows.of(shown.blocks()));
  }

  /** p: the steps that follow the last private row. */
  private long lastSteps() {
    return Math.multiplyExact(settings.publicPasses(), shown.blocks().rows());
  }

  /** ρ-zCDP of the last iterate; rounded up. */
  @Override
  public TruncatedConcentrated mechanism() {
    return charge(settings.sigma(), lastSteps());
  }

  /**
   * What a run is charged as; rounded up.
   *
   * @param lastSteps p
   */
  public static TruncatedConcentrated charge(NoiseMultiplier sigma, long lastSteps) {
    double rho = 2 / (sigma.value() * sigma.value() * (lastSteps + 1)) * ROUNDED_UP;
    return TruncatedConcentrated.ofZeroConcentrated(rho, 1);
  }

  @Override
  public int steps() {
    return 1;
  }

  @Override
  public OptionalInt features() {
    return settings.publicPasses() > 0
        ? OptionalInt.of(shown.blocks().columns())
        : OptionalInt.empty();
  }

  @Override
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    int features = rows.blocks().columns();
    if (settings.publicPasses() > 0) {
      StartWeights.checkFeatures(features, shown.blocks().columns());
    }
    int columns = settings.loss().columns(settings.classes());
    int length = Math.multiplyExact(features, columns);
    return new LinearModel(
        features, columns, FinalRelease.run(length, () -> release(rows, length, run), run));
  }

  private double[] release(PrivateRows rows, int length, TrainingRun run) {
    FinalRelease.stopIfCancelled(run);
    // Cancelling later would leave noise that was drawn and must not be drawn again.
    NormalStream stream = run.noise().stream(run.streams().step(1));
    Walk walk = new Walk(length, stream);
    walk.over(BoundedRows.of(rows.blocks()), settings.publicRows());
    for (int pass = 0; pass < settings.publicPasses(); pass++) {
      walk.over(shown.blocks(), shown.blocks().rows());
    }
    return walk.weights;
  }

  /** The hidden iterate. */
  private final class Walk {
    private final double[] weights;
    private final double[] gradient;
    private final NormalStream stream;
    private final RowGradient row;
    private final double deviation;

    Walk(int length, NormalStream stream) {
      this.weights = new double[length];
      this.gradient = new double[length];
      this.stream = stream;
      this.row = new RowGradient(settings.loss(), settings.classes());
      this.deviation =
          settings.sigma().value()
              * Smoothness.of(settings.loss(), settings.classes()).lipschitz()
              * ROUNDED_UP;
    }

    /** So many steps: one a row, and without a row where they run out. */
    void over(RowBlocks rows, long steps) {
      long left = steps;
      for (RowBlocks.Block block : rows.blocks()) {
        for (int i = 0; i < block.rows() && left > 0; i++, left--) {
          row.compute(block.features(), i * rows.columns(), block.labels()[i], weights, gradient);
          step();
        }
      }
      for (; left > 0; left--) {
        Arrays.fill(gradient, 0);
        step();
      }
    }

    private void step() {
      stream.addTo(gradient, deviation);
      for (int i = 0; i < weights.length; i++) {
        double direction = gradient[i] + settings.weightDecay() * weights[i];
        weights[i] -= settings.learningRate() * direction;
      }
    }
  }
}
