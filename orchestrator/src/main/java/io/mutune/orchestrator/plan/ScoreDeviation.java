package io.mutune.orchestrator.plan;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.ScoredTrial;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.format.RowRange;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How far chance moves a trial's score: from the plan alone, so public.
 *
 * @param noise the standard deviation of the noise added to it; empty where none was
 * @param rows how many are scored, as the sweep states it; empty where it does not
 * @param share of the rows that a score may rest on: 1, or for what is about classes that of one,
 *     which is taken for as frequent as the others, since nobody states how rare it is. The noise
 *     of F1 and of the area under a ROC curve is about that of a count of so many rows too
 */
public record ScoreDeviation(OptionalDouble noise, OptionalLong rows, double share) {
  /** Public rows that the sweep does not count are taken for so few, so that none is overrated. */
  private static final long UNSTATED_ROWS = 1000;

  /** Of a trial of the plan. */
  public static ScoreDeviation of(StudyPlan plan, PlannedTrial trial) {
    SweepDefinition sweep = plan.sweep();
    OptionalDouble sigma =
        plan.scoreCharge(trial).stream()
            .flatMap(charge -> charge.mechanism().noise().stream())
            .mapToDouble(NoiseMultiplier::value)
            .findFirst();
    OptionalLong rows = rows(sweep);
    double share = sweep.metric().kind().isMean() ? 1 : 1.0 / sweep.classes();
    return new ScoreDeviation(
        sigma.isPresent() && rows.isPresent()
            ? OptionalDouble.of(sigma.getAsDouble() / (share * rows.getAsLong()))
            : OptionalDouble.empty(),
        rows,
        share);
  }

  private static OptionalLong rows(SweepDefinition sweep) {
    ScoreRule rule = sweep.score();
    boolean training =
        rule instanceof ScoreRule.Uncharged
            || (rule instanceof ScoreRule.NoisyCount count && count.onTraining());
    return training
        ? OptionalLong.of(sweep.rows())
        : sweep.data().validation().map(ScoreDeviation::stated).orElse(OptionalLong.empty());
  }

  private static OptionalLong stated(DataSource data) {
    RowRange range = data.spec().range();
    return range == null || data.isPrivate() ? data.rows() : OptionalLong.of(range.size());
  }

  /** Of the choice of rows: a score is a mean of values in [0, 1], of variance p(1 − p) at most. */
  public double sampling(double score) {
    double p = Math.min(1, Math.max(0, score));
    return Math.sqrt(p * (1 - p) / (share * rows.orElse(UNSTATED_ROWS)));
  }

  /** The trial with what was released as its score. */
  public ScoredTrial scored(PlannedTrial trial, OptionalDouble score) {
    double deviation =
        score.isPresent() ? Math.hypot(noise.orElse(0), sampling(score.getAsDouble())) : 0;
    return new ScoredTrial(trial, score, deviation);
  }
}
