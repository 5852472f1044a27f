package io.mutune.orchestrator.search;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.OptionalDouble;

/** Trials and targets for tests. */
final class Trials {
  static final Delta DELTA = Delta.of(1e-5);

  /** Large enough that no learning rate meets its limit. */
  static final RunScale SCALE = scale(10_000, 100);

  private Trials() {}

  /** Of a study with softmax, where 3.8 a class is stable, or logistic with its one logit: 15. */
  static RunScale scale(long rows, int logits) {
    return new RunScale(1, 1, 0.9, rows, logits, logits == 1 ? 15 : 3.8 * logits, true);
  }

  /** A trial of ten steps with these values. */
  static ScoredTrial trial(int number, int round, double epsilon, double radius, double score) {
    return trial(number, round, epsilon, radius, OptionalDouble.of(score));
  }

  static ScoredTrial trial(
      int number, int round, double epsilon, double radius, OptionalDouble score) {
    TrialPoint point = new TrialPoint(radius / 10, 10);
    return new ScoredTrial(
        new PlannedTrial(number, round, Epsilon.of(epsilon), mu(epsilon), point), score, 0);
  }

  static Mu mu(double epsilon) {
    return GaussianDp.ofBudget(Epsilon.of(epsilon), DELTA).mu();
  }

  static SearchStrategy.Target target(double epsilon) {
    return new SearchStrategy.Target(mu(epsilon), Epsilon.of(epsilon));
  }
}
