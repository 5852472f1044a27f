package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedSum;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.noise.ChargedNoise;

/**
 * Noisy gradient descent over all rows from zero weights: Algorithm 1 of Panda et al., <i>A New
 * Linear Scaling Rule for Private Adaptive Hyperparameter Optimization</i> (ICML 2024).
 *
 * <pre>
 *   g ← (Σ clip_C(∇ℓ(w)) + N(0, σ²C²I)) / N      v ← βv + g      w ← w − ηv
 * </pre>
 *
 * <p>The paper divides by the number of rows, which is private under add/remove; N here is the
 * public one. The <i>free step</i> is one more w ← w − ηv at the end, which reads no row.
 */
public final class NoisyGd {
  /** Checkpoints of a run: a crash loses at most one part in so many, and writing stays cheap. */
  private static final int CHECKPOINTS = 32;

  /**
   * The method's hyperparameters; all public.
   *
   * @param learningRate η, finite and above 0
   * @param steps T, at least 1
   * @param momentum β, in [0, 1)
   * @param freeStep whether to end with a step without a gradient
   * @param clipNorm C
   * @param sigma σ, the noise's standard deviation over C
   * @param adjacency which neighbours the charge is for
   * @param publicRows N, at least 1
   * @param classes as many as the loss is made for
   */
  public record Settings(
      double learningRate,
      int steps,
      double momentum,
      boolean freeStep,
      ClipNorm clipNorm,
      NoiseMultiplier sigma,
      Adjacency adjacency,
      long publicRows,
      Loss loss,
      int classes) {
    public Settings {
      check(learningRate > 0 && Double.isFinite(learningRate), "learning rate", learningRate);
      check(steps >= 1, "number of steps", steps);
      check(momentum >= 0 && momentum < 1, "momentum", momentum);
      check(publicRows >= 1, "public number of rows", publicRows);
      loss.columns(classes);
    }

    private static void check(boolean holds, String what, Number value) {
      if (!holds) {
        throw new IllegalArgumentException("the " + what + " is out of range: " + value);
      }
    }
  }

  private final Settings settings;

  public NoisyGd(Settings settings) {
    this.settings = settings;
  }

  /** What training asks of the rows: T sums of norm at most C a row, in units of C. */
  public Gaussian mechanism() {
    return new Gaussian(settings.sigma(), settings.adjacency().sumSensitivity(), settings.steps());
  }

  /**
   * Trains, or goes on training. Steps that were begun before but are in no checkpoint are not
   * asked again: the model then comes from fewer steps, and the charge stays what it was.
   *
   * @param proof that {@link #mechanism()} is charged
   * @throws IllegalStateException if another mechanism is charged; no row was read
   * @throws TrainingCancelled within a step of the request; the steps done are in a checkpoint
   */
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism());
    int features = rows.blocks().columns();
    int columns = settings.loss().columns(settings.classes());
    int length = Math.multiplyExact(features, columns);
    Descent descent = new Descent(settings, run.from().orElseGet(() -> Iterate.zero(length)));
    descent.requireLength(length);
    descent.skipTo(run.stepsBegun());
    if (descent.asked() < settings.steps()) {
      try (ClippedSum sum =
          run.engine().open(rows, settings.loss(), settings.classes(), settings.clipNorm())) {
        descend(descent, sum, run);
      }
    }
    return new LinearModel(features, columns, descent.finalWeights());
  }

  private void descend(Descent descent, ClippedSum sum, TrainingRun run) {
    int steps = settings.steps();
    int block = (steps - 1) / CHECKPOINTS + 1;
    while (descent.asked() < steps) {
      int last = Math.min(steps, descent.asked() + block);
      run.journal().begin(descent.asked() + 1, last);
      while (descent.asked() < last) {
        if (run.cancelled().getAsBoolean()) {
          run.journal().checkpoint(descent.iterate());
          throw new TrainingCancelled(descent.asked(), steps);
        }
        descent.step(sum, run.noise().stream(run.streams().step(descent.asked() + 1)));
        run.progress().accept(descent.asked());
      }
      run.journal().checkpoint(descent.iterate());
    }
  }
}
