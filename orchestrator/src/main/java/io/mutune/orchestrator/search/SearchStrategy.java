package io.mutune.orchestrator.search;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.ArrayList;
import java.util.List;

/**
 * How a study looks for the point of its final run. First a plan of trials that needs no data, then
 * a decision from released scores only. Both are deterministic: chance comes from a public seed.
 */
public sealed interface SearchStrategy permits LinearScaling, ScaleFree, Fixed {
  /** The name in sweeps and results. */
  String name();

  /** Every trial, in order, each with what it may cost. */
  List<PlannedTrial> trials(RunScale scale, Delta delta);

  /**
   * The final run's point.
   *
   * @param target what the final run may spend
   * @throws SearchFailedException if too few trials have a score
   */
  Decision decide(List<ScoredTrial> trials, Target target, RunScale scale);

  /**
   * What is left for the final run.
   *
   * @param epsilon of that run alone at the study's δ
   */
  record Target(Mu mu, Epsilon epsilon) {}

  /** Chooses the point of one trial. */
  @FunctionalInterface
  interface PointChoice {
    TrialPoint choose(int indexInRound, SweepRound round, Mu mu);
  }

  /** Lays out the trials of all rounds, numbered through. */
  static List<PlannedTrial> layOut(List<SweepRound> rounds, Delta delta, PointChoice choice) {
    List<PlannedTrial> trials = new ArrayList<>();
    for (int r = 0; r < rounds.size(); r++) {
      SweepRound round = rounds.get(r);
      Mu mu = GaussianDp.ofBudget(round.epsilon(), delta).mu();
      for (int i = 0; i < round.trials(); i++) {
        TrialPoint point = choice.choose(i, round, mu);
        trials.add(new PlannedTrial(trials.size() + 1, r + 1, round.epsilon(), mu, point));
      }
    }
    return List.copyOf(trials);
  }
}
