package io.mutune.trainer.method.budget;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * PPGD: {@link Ppsgd} over all rows at every step, as AdaMix compares itself with.
 *
 * <p>Without sampling every step is exactly Gaussian: one of ρ has noise of standard deviation
 * sC/√(2ρ) and is μ-GDP with μ² = 2ρ. The steps' μ² are chosen on the way within a total that is
 * fixed beforehand, which is a valid filter for Gaussian steps (Smith and Thakurta 2022), so the
 * charge is one Gaussian release of the total μ: less than tCDP makes of the same noise, and of
 * either adjacency.
 */
public record Ppgd(Adaptation adaptation) implements BudgetMethod {
  /** In sweeps. */
  static final MethodType TYPE =
      new MethodType("ppgd", Adaptation.SETTINGS, given -> new Ppgd(Adaptation.read(given)));

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public boolean sumsOnMachines() {
    return true;
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.PUBLIC_ROWS);
  }

  @Override
  public Optional<String> whyNoRun(NoiseMultiplier sigma, Problem problem, OptionalInt features) {
    return adaptation.whyNoRun();
  }

  /** The whole budget as one adaptive release of μ = 1/σ, rounded down. */
  @Override
  public Gaussian mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    return new Gaussian(NoiseMultiplier.of(1), 1 / sigma.value() * (1 - ROUNDED), 1);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the public rows lack a class or have a label that is none,
   *     or the total does not pay for a step
   */
  @Override
  public Training training(Problem problem, Run run, PublicInputs inputs) {
    AllRows training =
        new AllRows(
            this,
            problem,
            mechanism(run.sigma(), problem, run.steps()),
            inputs.requiredRows(problem.classes()));
    Require.steps(training.steps());
    return training;
  }

  /** A run, whose total μ is the sensitivity of its charge. */
  private static final class AllRows extends AdaptiveTraining {
    private final Gaussian mechanism;

    AllRows(Ppgd method, Problem problem, Gaussian mechanism, PublicRows shown) {
      super(method, method.adaptation(), problem, shown);
      this.mechanism = mechanism;
    }

    @Override
    public Gaussian mechanism() {
      return mechanism;
    }

    private double wholeRho() {
      return mechanism.sensitivity() * mechanism.sensitivity() / 2;
    }

    /** No more than the total, which is rounded down, where it is to be one step. */
    @Override
    double firstRho() {
      return Math.min(adaptation.firstShare() * wholeRho(), totalRho());
    }

    @Override
    double totalRho() {
      return wholeRho() * (1 - ROUNDED);
    }

    @Override
    double greatestRho() {
      return totalRho();
    }

    @Override
    double divisor() {
      return problem.publicRows();
    }

    @Override
    double deviation(double rho) {
      return problem.adjacency().sumSensitivity() / Math.sqrt(2 * rho) * ROUNDED_UP;
    }

    @Override
    RowSample sample(int step, TrainingAttempt run) {
      return RowSample.ALL;
    }
  }
}
