package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.noise.ChargedNoise;

/**
 * AGD, adaptive gradient descent (Lee and Kifer 2018): each iteration measures the gradient, then
 * looks along it for the best of a few step sizes by a noisy minimum; where staying seems best, the
 * gradient is measured more closely with a larger budget and the search is repeated.
 *
 * <p>The total ρ of zCDP is declared and charged beforehand; released values decide how it is
 * spent. Every release is one step here:
 *
 * <ul>
 *   <li>a gradient sum of norm at most C a row with noise sC/√(2ρ), s being the adjacency's 1 or 2;
 *   <li>its refinement by a second measurement of γρ, averaged with weights ρ and γρ;
 *   <li>a choice among step sizes by the sum of losses, each held in [0, B]. The paper adds Laplace
 *       noise and charges ε²/2; this is the exponential mechanism at ε = √(8ρ), whose range is
 *       bounded by ε, so that ε²/8 = ρ is enough (Cesar and Rogers 2021). Adding a row moves all
 *       sums up, by at most B, replacing one by at most B either way.
 * </ul>
 *
 * <p>Sums are never divided by a private count; the objective has N·(λ/2)‖w‖² with the public N.
 */
public final class Agd implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param totalRho of the run, finite and above 0
   * @param gradientRho ρ of the first measurement, above 0
   * @param searchRho ρ of every choice, above 0
   * @param growth γ, in (0, 1]
   * @param clipNorm C
   * @param lossBound B, finite and above 0
   * @param candidates how many step sizes are looked at beside 0, evenly spaced; at least 1
   * @param greatestStep the largest of them at first, in the norm of the weights
   * @param stepGrowth by how much the largest exceeds the largest that was chosen in the last
   *     {@code period} moves, when it is set anew; at least 0
   * @param period at least 1
   * @param weightDecay λ, beside the mean loss; finite and at least 0
   * @param adjacency which neighbours the charge is for
   * @param publicRows N, at least 1
   * @param classes as many as the loss is made for
   */
  public record Settings(
      double totalRho,
      double gradientRho,
      double searchRho,
      double growth,
      ClipNorm clipNorm,
      double lossBound,
      int candidates,
      double greatestStep,
      double stepGrowth,
      int period,
      double weightDecay,
      Adjacency adjacency,
      long publicRows,
      Loss loss,
      int classes) {
    public Settings {
      Require.that(totalRho > 0 && Double.isFinite(totalRho), "total rho", totalRho);
      Require.that(gradientRho > 0 && gradientRho <= totalRho, "gradient's rho", gradientRho);
      Require.that(searchRho > 0 && searchRho <= totalRho, "search's rho", searchRho);
      Require.that(growth > 0 && growth <= 1, "growth", growth);
      Require.that(lossBound > 0 && Double.isFinite(lossBound), "loss bound", lossBound);
      Require.that(candidates >= 1, "number of candidates", candidates);
      Require.that(greatestStep > 0 && Double.isFinite(greatestStep), "step", greatestStep);
      Require.that(stepGrowth >= 0 && Double.isFinite(stepGrowth), "step growth", stepGrowth);
      Require.that(period >= 1, "period", period);
      Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
      Require.publicRows(publicRows);
      loss.columns(classes);
      double least = Math.min(searchRho, growth * gradientRho);
      Require.that(totalRho / least <= Integer.MAX_VALUE, "number of steps", totalRho / least);
    }

    /** At most how many releases the total pays for. */
    int steps() {
      return (int) Math.floor(totalRho / Math.min(searchRho, growth * gradientRho));
    }
  }

  private final Settings settings;

  public Agd(Settings settings) {
    this.settings = settings;
  }

  /** The whole budget as one adaptive release. */
  @Override
  public TruncatedConcentrated mechanism() {
    return TruncatedConcentrated.ofZeroConcentrated(settings.totalRho(), 1);
  }

  @Override
  public int steps() {
    return settings.steps();
  }

  @Override
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    int features = rows.blocks().columns();
    int columns = settings.loss().columns(settings.classes());
    int length = Math.multiplyExact(features, columns);
    try (AgdDescent descent = AgdDescent.of(settings, length, rows, run)) {
      StepLoop.skipLost(settings.steps(), descent, run);
      StepLoop.run(settings.steps(), descent, run);
      return new LinearModel(features, columns, descent.weights());
    }
  }
}
