package io.mutune.trainer.method.budget;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.renyi.TruncatedConcentratedDp;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.loss.HuberHingeLoss;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SquaredLoss;
import io.mutune.trainer.method.BinaryProblem;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Training;
import java.util.Optional;
import java.util.OptionalDouble;

/** The methods that have no fixed answer a step, on {@link BinaryProblem}. */
public final class ClassicMethods {
  static final long ROWS = 300;
  public static final int SHOWN = 20;
  public static final Loss LOGISTIC = new LogisticLoss();
  static final Loss SQUARED = new SquaredLoss(2, false);

  private ClassicMethods() {}

  public static Problem problem(Loss loss, Adjacency adjacency) {
    return Fixture.problem(loss, 2, adjacency, ROWS);
  }

  public static PublicInputs shown() {
    return Fixture.shown(BinaryProblem.publicRows(SHOWN));
  }

  /**
   * @param share of the total ρ, for the first step
   */
  public static Adaptation adaptation(double share, Optional<Double> reuse) {
    return new Adaptation(0.5, share, ClipNorm.of(0.8), 10, 0.3, 3, 0.3, 0.01, reuse);
  }

  static Ppsgd.Sampled ppsgd() {
    return new Ppsgd(adaptation(2.1e-4 / 0.02, Optional.of(0.5)), 15)
        .training(
            problem(SQUARED, Adjacency.REPLACE_ONE), TruncatedConcentratedDp.of(0.02, 20), shown());
  }

  /** μ = 0.4 and ρ = 0.08, of which the first step takes 0.002. */
  static Training ppgd(Adjacency adjacency) {
    return new Ppgd(adaptation(0.025, Optional.empty()))
        .training(problem(SQUARED, adjacency), Fixture.run(1, 1, 2.5), shown());
  }

  /** ρ = 0.5, of which a gradient takes 0.02 and a choice 0.01. */
  static Training agd(Adjacency adjacency) {
    return new Agd(0.04, 0.02, 0.5, ClipNorm.of(0.8), 3, 10, 1, 0.1, 3, 0.01)
        .training(problem(LOGISTIC, adjacency), Fixture.run(1, 1, 1), PublicInputs.NONE);
  }

  /**
   * @param sigma over the sensitivity, or 1/ε of exponential noise
   */
  static OutputPerturbation.Perturbed outputPerturbation(
      Adjacency adjacency, boolean exponential, double sigma) {
    return new OutputPerturbation(0.05, OptionalDouble.of(1e-4), exponential)
        .training(
            problem(new HuberHingeLoss(0.5), adjacency),
            Fixture.run(1, 1, sigma),
            PublicInputs.NONE);
  }

  static OutputPerturbation.Perturbed outputPerturbation(Adjacency adjacency) {
    return outputPerturbation(adjacency, false, 2);
  }

  static ObjectivePerturbation.Perturbed objectivePerturbation(Adjacency adjacency) {
    Budget budget = new Budget(Epsilon.of(1), Delta.of(1e-4), adjacency);
    return new ObjectivePerturbation(0.05, OptionalDouble.of(1e-5))
        .training(new Problem(LOGISTIC, 2, budget, ROWS), Fixture.run(1, 1, 1), PublicInputs.NONE);
  }

  static Training pnsgd(int passes) {
    return new Pnsgd(0.5, 0, passes, SHOWN)
        .training(problem(SQUARED, Adjacency.REPLACE_ONE), Fixture.run(1, 1, 3), shown());
  }

  static Training pate() {
    return new Pate(12, 8, 1.5, 10, SHOWN, 0.01)
        .training(
            problem(LOGISTIC, Adjacency.ADD_REMOVE),
            NoiseMultiplier.of(3),
            NoiseMultiplier.of(2),
            shown());
  }
}
