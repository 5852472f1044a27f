package io.mutune.orchestrator.report;

import io.mutune.orchestrator.plan.ScoreDeviation;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.Labelling;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the scores of trials are and how far chance moves them: from the sweep and the charges, so
 * public.
 *
 * @param measure {@code accuracy}, or {@code closeness}: 1 − error over the range's width
 * @param noise the standard deviation of the noise added to each; empty where none was
 * @param rows how many were scored, as the sweep states it
 */
record TrialScores(String measure, OptionalDouble noise, OptionalLong rows) {
  /** Of a normal value's 95% interval. */
  private static final double QUANTILE = 1.96;

  private static final String ACCURACY = "accuracy";
  private static final String CLOSENESS = "closeness";

  /** Of a study without trials. */
  static final TrialScores NONE =
      new TrialScores(ACCURACY, OptionalDouble.empty(), OptionalLong.empty());

  /** Empty where there were no trials. */
  static Optional<TrialScores> of(StudyResult result) {
    SweepDefinition sweep = result.study().sweep();
    String measure = sweep.classes() == Labelling.REAL ? CLOSENESS : ACCURACY;
    if (result.trials().isEmpty()) {
      return Optional.empty();
    }
    ScoreDeviation deviation =
        ScoreDeviation.of(result.study().plan(), result.trials().get(0).trial());
    return Optional.of(new TrialScores(measure, deviation.noise(), deviation.rows()));
  }

  private boolean accuracy() {
    return measure.equals(ACCURACY);
  }

  /** Half the length of a score's error bar; 0 where it has none. */
  double bar(double score) {
    if (noise.isPresent()) {
      return QUANTILE * noise.getAsDouble();
    }
    if (!accuracy() || rows.isEmpty()) {
      return 0;
    }
    return QUANTILE * new ScoreDeviation(noise, rows).sampling(score);
  }

  /** What the bars are, as a sentence. */
  String bars() {
    if (noise.isPresent()) {
      return "Bars are 1.96 standard deviations of the noise that was added to each score: 95% of"
          + " the noise stays within them.";
    }
    return accuracy() && rows.isPresent()
        ? "No noise was added. Bars are the 95% sampling error of an accuracy on "
            + rows.getAsLong()
            + " rows."
        : "No noise was added to the scores, so they have no bars.";
  }

  String name() {
    return accuracy() ? "score (accuracy)" : "score (1 − error / range)";
  }

  Axis onAxis(Axis axis) {
    return accuracy() ? axis.inPercent() : axis;
  }

  String shown(double score) {
    return accuracy() ? DisplayNumber.percent(score) : DisplayNumber.value(score);
  }
}
