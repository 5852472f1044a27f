package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.score.Metric;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with a single study, by what it released alone; nothing is read for it. */
public final class StudyChecks {
  /**
   * Noise of any deviation that a plan has lies so close to a whole number with a probability below
   * 2e-8 (the density of σ = 0.4 is below 1), of fewer than 2^26 rows.
   */
  private static final double WHOLE = 1e-8;

  /** On coarser grids whole numbers are drawn now and then. */
  private static final int FINE_GRID = -30;

  private StudyChecks() {}

  /** In words; empty for a sound study, except once in 1e7 noisy scores. */
  public static List<String> of(Transcript transcript) {
    List<String> found =
        new ArrayList<>(LedgerOrder.problems(transcript.plan(), transcript.events()));
    found.addAll(wholeScores(transcript));
    return found;
  }

  /** The noisy scores that are whole numbers of rows, in words. */
  static List<String> wholeScores(Transcript transcript) {
    List<String> found = new ArrayList<>();
    SweepDefinition sweep = transcript.sweep();
    boolean fine =
        sweep.run().noise().grid().map(grid -> grid.exponent() <= FINE_GRID).orElse(true);
    // Other metrics are no counts: a share of noisy ones may be anything, and be 0 or 1 often.
    boolean counts =
        sweep.metric().equals(Metric.ACCURACY)
            && sweep.data().unit().isEmpty()
            && !sweep.hasRealTargets();
    if (sweep.score() instanceof ScoreRule.NoisyCount count && fine && counts) {
      long rows =
          count.onTraining()
              ? sweep.rows()
              : sweep.data().validation().orElseThrow().rows().orElseThrow();
      for (TrialOutcome trial : transcript.result().trials()) {
        if (trial.score().isPresent() && isWhole(trial.score().getAsDouble() * rows)) {
          found.add(
              "the score of trial %d is a whole number of rows: it has no noise"
                  .formatted(trial.trial().number()));
        }
      }
    }
    return found;
  }

  private static boolean isWhole(double rows) {
    return Math.abs(rows - Math.rint(rows)) < WHOLE;
  }
}
