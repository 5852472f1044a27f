package io.mutune.trainer.method.budget;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.TrainingMethod;

/**
 * A method with a budget of its own in place of a noise multiplier: a μ, a ρ or an ε of the whole
 * run. A plan looks for it by σ all the same, with μ = 1/σ, ρ = 1/(2σ²) and ε = 1/σ; nothing else
 * of the run depends on that σ, and the search has nothing to find.
 */
interface BudgetMethod extends TrainingMethod {
  /** More than a few operations round by, relatively. */
  double ROUNDED = 0x1p-40;

  double ROUNDED_UP = 1 + ROUNDED;

  /** Of a limit in a message, which is rounded to the side on which it is kept. */
  int DIGITS = 4;

  @Override
  default Searched searched() {
    return Searched.NOTHING;
  }

  @Override
  default double sensitivity(Adjacency adjacency) {
    return 1;
  }

  @Override
  default boolean chargedAsOne() {
    return true;
  }

  /** ρ of a run that has the noise σ. */
  static double rho(NoiseMultiplier sigma) {
    return 0.5 / sigma.value() / sigma.value();
  }

  /** Rounded down, so that all that is spent never adds up to more than the total. */
  static double left(double total, double spent) {
    return total <= spent ? 0 : Math.nextDown(total - spent);
  }

  /** ε of a run that has the noise σ. */
  static Epsilon epsilon(NoiseMultiplier sigma) {
    return Epsilon.of(1 / sigma.value());
  }
}
