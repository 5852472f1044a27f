package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.accountant.renyi.PpsgdStep;
import io.mutune.accountant.renyi.TruncatedConcentratedDp;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.RowSample;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.Purpose;
import java.util.OptionalInt;

/**
 * PPSGD (Wang and Zhou, <i>Differentially Private Learning with Small Public Data</i>, AAAI 2020,
 * Algorithm 1): stochastic gradient descent whose budget and clip norm follow the gradients of a
 * few public rows, on samples without replacement under truncated concentrated DP, and model reuse.
 *
 * <p>The whole (ρ, ω) is declared and charged beforehand; public rows and released weights alone
 * decide how it is spent. The paper lets a step's ρ grow without looking at its Theorem 4, and does
 * not ask that the sampled step's guarantee reach the run's ω. Here a first step that breaks either
 * is refused, and ρ grows no further than to {@link #greatestRho}, the last at which both hold.
 *
 * <p>A row of the sample is a position from 1 to the public N: what a file has beyond takes no
 * part, what it lacks adds nothing.
 */
public final class Ppsgd implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param total what the run may cost
   * @param batch s, at least 1 and at most N/10
   * @param adjacency replace-one
   * @param publicRows N, which is m in the paper
   */
  public record Settings(
      Adaptation adaptation,
      TruncatedConcentratedDp total,
      long batch,
      Adjacency adjacency,
      long publicRows) {
    public Settings {
      Require.publicRows(publicRows);
      Require.replaceOne("PPSGD", adjacency);
      PpsgdStep step = PpsgdStep.of(adaptation.firstRho(), batch, publicRows);
      if (!holds(step, total)) {
        throw new IllegalArgumentException(
            ("theorem 4 does not hold for a step of rho %s on %d of %d rows, or does not reach the"
                    + " run's omega %s: %s")
                .formatted(adaptation.firstRho(), batch, publicRows, total.omega(), step));
      }
    }

    private static boolean holds(PpsgdStep step, TruncatedConcentratedDp total) {
      return step.theoremApplies() && step.covers(total);
    }

    private boolean holds(double rho) {
      return holds(PpsgdStep.of(rho, batch, publicRows), total);
    }
  }

  private static final double ACCURACY = 1e-9;

  private final Settings settings;
  private final PublicRows shown;
  private final double greatestRho;

  /**
   * @throws IllegalArgumentException if the public rows lack a class or have a label that is none
   */
  public Ppsgd(Settings settings, PublicRows shown) {
    this.settings = settings;
    this.shown = shown;
    PublicRowsCheck.require(shown, settings.adaptation().classes());
    this.greatestRho = greatest(settings);
    if (AdaptiveDescent.steps(settings.adaptation(), new Sampled()) < 1) {
      throw new IllegalArgumentException("no step fits the total");
    }
  }

  /** The conditions only get harder to keep as ρ grows, up to the 0.1 that ρ_s must not pass. */
  private static double greatest(Settings settings) {
    double kept = settings.adaptation().firstRho();
    double broken = Math.max(kept, settings.total().rho());
    if (settings.holds(broken)) {
      return broken;
    }
    while (broken - kept > ACCURACY * kept) {
      double middle = (kept + broken) / 2;
      if (settings.holds(middle)) {
        kept = middle;
      } else {
        broken = middle;
      }
    }
    return kept;
  }

  /** The most that a step may cost. */
  public double greatestRho() {
    return greatestRho;
  }

  /** The whole budget as one adaptive release. */
  @Override
  public TruncatedConcentrated mechanism() {
    return new TruncatedConcentrated(settings.total().rho(), settings.total().omega(), 1);
  }

  @Override
  public int steps() {
    return AdaptiveDescent.steps(settings.adaptation(), new Sampled());
  }

  @Override
  public OptionalInt features() {
    return OptionalInt.of(shown.blocks().columns());
  }

  @Override
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    return AdaptiveDescent.train(settings.adaptation(), new Sampled(), rows, shown, run);
  }

  private final class Sampled implements AdaptiveDescent.Law {
    @Override
    public double totalRho() {
      return settings.total().rho();
    }

    @Override
    public double greatestRho() {
      return greatestRho;
    }

    @Override
    public double divisor() {
      return settings.batch();
    }

    @Override
    public double deviation(double rho) {
      PpsgdStep step = PpsgdStep.of(rho, settings.batch(), settings.publicRows());
      if (!Settings.holds(step, settings.total())) {
        throw new IllegalStateException("theorem 4 does not hold for " + step);
      }
      return Math.nextUp(settings.batch() * Math.nextUp(Math.sqrt(step.noiseVariance())));
    }

    @Override
    public RowSample sample(int step, TrainingRun run) {
      return RowSample.withoutReplacement(
          settings.batch(),
          settings.publicRows(),
          run.noise().bits(run.streams().step(step, Purpose.SAMPLE)));
    }
  }
}
