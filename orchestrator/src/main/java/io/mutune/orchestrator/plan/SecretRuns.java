package io.mutune.orchestrator.plan;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.Optional;

/**
 * The runs of a plan that are charged as one, of which the best alone is released.
 *
 * @param charge of all of them
 * @param mu μ of the training in each
 */
public record SecretRuns(SweepDefinition sweep, Charge charge, Mu mu) {
  /** What each one's method takes as σ. */
  public NoiseMultiplier noise(TrialPoint point) {
    return MuPlanner.noise(sweep, mu, point.steps());
  }

  /** The public number of rows of each: of a sample, what is expected. */
  public long rows() {
    return Math.max(1, Math.round(sweep.search().sampleRate() * sweep.rows()));
  }

  /** The scale of each, on as many rows as it has. */
  public RunScale scale() {
    return sweep.runScale(rows());
  }

  /**
   * What the training of each asks: never on the ledger by itself, but part of the charge for all
   * of them.
   */
  public Charge training(TrialPoint point) {
    return Question.RUN.charge(MuPlanner.training(sweep, mu, point.steps()));
  }

  /** What its score asks; empty where scoring is free. */
  public Optional<Charge> score() {
    return QuestionCosts.runScore(sweep);
  }
}
