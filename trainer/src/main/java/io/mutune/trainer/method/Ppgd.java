package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.RowSample;
import io.mutune.trainer.noise.ChargedNoise;
import java.util.OptionalInt;

/**
 * PPGD: {@link Ppsgd} over all rows at every step, as AdaMix compares itself with.
 *
 * <p>Without sampling every step is exactly Gaussian: one of ρ has noise of standard deviation
 * sC/√(2ρ) and is μ-GDP with μ² = 2ρ. The steps' μ² are chosen on the way within a total that is
 * fixed beforehand, which is a valid filter for Gaussian steps (Smith and Thakurta 2022), so the
 * charge is one Gaussian release of the total μ: less than tCDP makes of the same noise, and of
 * either adjacency.
 */
public final class Ppgd implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param total μ of the run, finite and above 0
   * @param adjacency which neighbours the charge is for
   * @param publicRows N, at least 1
   */
  public record Settings(Adaptation adaptation, Mu total, Adjacency adjacency, long publicRows) {
    public Settings {
      Require.publicRows(publicRows);
      Require.that(total.value() > 0 && Double.isFinite(total.value()), "total mu", total.value());
    }
  }

  /** For the rounding of a few operations. */
  private static final double ROUNDED = 0x1p-40;

  private final Settings settings;
  private final PublicRows shown;

  /**
   * @throws IllegalArgumentException if the public rows lack a class or have a label that is none,
   *     or the total does not pay for a step
   */
  public Ppgd(Settings settings, PublicRows shown) {
    this.settings = settings;
    this.shown = shown;
    PublicRowsCheck.require(shown, settings.adaptation().classes());
    if (AdaptiveDescent.steps(settings.adaptation(), new AllRows()) < 1) {
      throw new IllegalArgumentException("no step fits the total");
    }
  }

  /** The whole budget as one adaptive release. */
  @Override
  public Gaussian mechanism() {
    return new Gaussian(NoiseMultiplier.of(1), settings.total().value(), 1);
  }

  @Override
  public int steps() {
    return AdaptiveDescent.steps(settings.adaptation(), new AllRows());
  }

  @Override
  public OptionalInt features() {
    return OptionalInt.of(shown.blocks().columns());
  }

  @Override
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    return AdaptiveDescent.train(settings.adaptation(), new AllRows(), rows, shown, run);
  }

  private final class AllRows implements AdaptiveDescent.Law {
    @Override
    public double totalRho() {
      return settings.total().value() * settings.total().value() / 2 * (1 - ROUNDED);
    }

    @Override
    public double greatestRho() {
      return totalRho();
    }

    @Override
    public double divisor() {
      return settings.publicRows();
    }

    @Override
    public double deviation(double rho) {
      return settings.adjacency().sumSensitivity() / Math.sqrt(2 * rho) * (1 + ROUNDED);
    }

    @Override
    public RowSample sample(int step, TrainingRun run) {
      return RowSample.ALL;
    }
  }
}
