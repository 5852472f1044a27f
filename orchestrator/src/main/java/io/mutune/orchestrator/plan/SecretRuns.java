package io.mutune.orchestrator.plan;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.Optional;

/** The runs of a plan that are charged as one, of which the best alone is released. */
record SecretRuns(SweepDefinition sweep, FinalShare.Selection selection) {
  /** μ of the training in each. */
  Mu mu() {
    return selection.noise();
  }

  /** What each one's method takes as σ. */
  NoiseMultiplier noise(TrialPoint point) {
    return MuPlanner.noise(sweep, mu(), point.steps());
  }

  /** The public number of rows of each: of a sample, what is expected. */
  static long rows(SweepDefinition sweep) {
    return Math.max(1, Math.round(sweep.search().sampleRate() * sweep.rows()));
  }

  static RunScale scale(SweepDefinition sweep) {
    return sweep.runScale(rows(sweep));
  }

  /** What the training of each asks: never on the ledger by itself. */
  Charge training(TrialPoint point) {
    return Question.RUN.charge(MuPlanner.training(sweep, mu(), point.steps()));
  }

  /** What its score asks; empty where scoring is free. */
  static Optional<Charge> score(SweepDefinition sweep) {
    return QuestionCosts.runScore(sweep);
  }
}
