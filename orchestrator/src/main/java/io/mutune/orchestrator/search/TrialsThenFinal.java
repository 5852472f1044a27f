package io.mutune.orchestrator.search;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.List;
import java.util.function.Function;

/** Cheap trials, each of an ε that the sweep gives, then one final run with all that is left. */
public non-sealed interface TrialsThenFinal extends ReleasedTrials {
  /** The rounds of trials; none without tuning. */
  List<SweepRound> rounds();

  /**
   * Every trial, in order.
   *
   * @param noise what a trial of an ε has as noise, as the μ of {@link PlannedTrial#mu}
   */
  List<PlannedTrial> trials(RunScale scale, Function<Epsilon, Mu> noise);

  /** The same where trials are Gaussian: their μ is what they may cost. */
  default List<PlannedTrial> trials(RunScale scale, Delta delta) {
    return trials(scale, epsilon -> GaussianDp.ofBudget(epsilon, delta).mu());
  }

  @Override
  default boolean scores() {
    return !rounds().isEmpty();
  }
}
