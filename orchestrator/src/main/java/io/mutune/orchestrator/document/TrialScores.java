package io.mutune.orchestrator.document;

import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.plan.ScoreDeviation;
import io.mutune.orchestrator.study.MetricWords;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.score.Estimate;
import io.mutune.trainer.score.Metric;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the scores of trials are and how far chance moves them: from the sweep and the charges, so
 * public.
 *
 * @param measure the metric's key, or {@code closeness}: 1 − error over the range's width
 * @param of the class that it is about, where it is about one
 * @param noise the standard deviation of the noise added to each; empty where none was, and of a
 *     ratio of counts, where it follows from how many rows of each class there are
 * @param rows how many were scored, as the sweep states it
 */
public record TrialScores(
    String measure, Optional<String> of, OptionalDouble noise, OptionalLong rows) {
  private static final String ACCURACY = Metric.ACCURACY.key();

  /** Of a study without trials. */
  static final TrialScores NONE =
      new TrialScores(ACCURACY, Optional.empty(), OptionalDouble.empty(), OptionalLong.empty());

  /** Empty where there were no trials. */
  static Optional<TrialScores> of(StudyResult result) {
    SweepDefinition sweep = result.study().sweep();
    String measure = MetricWords.isCloseness(sweep) ? MetricWords.CLOSENESS : sweep.metric().key();
    boolean mean = sweep.metric().kind().isMean();
    if (result.trials().isEmpty()) {
      return Optional.empty();
    }
    ScoreDeviation deviation =
        ScoreDeviation.of(result.study().plan(), result.trials().get(0).trial());
    // How far noise moves a ratio of counts depends on how rare the rarest class is.
    return Optional.of(
        new TrialScores(
            measure,
            sweep.metric().kind().isOfOneClass()
                ? Optional.of(sweep.data().classNames().get(sweep.metric().of()))
                : Optional.empty(),
            mean ? deviation.noise() : OptionalDouble.empty(),
            deviation.rows()));
  }

  private boolean isMean() {
    return measure.equals(MetricWords.CLOSENESS) || Metric.kindOf(measure).isMean();
  }

  private String words() {
    return measure.equals(MetricWords.CLOSENESS)
        ? "1 − error / range"
        : measure.replace('-', ' ') + of.map(name -> " of class " + name).orElse("");
  }

  private boolean accuracy() {
    return measure.equals(ACCURACY);
  }

  /** Half the length of a score's error bar; 0 where it has none. */
  public double bar(double score) {
    if (noise.isPresent()) {
      return Estimate.QUANTILE * noise.getAsDouble();
    }
    if (!accuracy() || rows.isEmpty()) {
      return 0;
    }
    return Estimate.QUANTILE * new ScoreDeviation(noise, rows, 1).sampling(score);
  }

  /** What the bars are, as a sentence. */
  public String bars() {
    if (noise.isPresent()) {
      return "Bars are 1.96 standard deviations of the noise that was added to each score: 95% of"
          + " the noise stays within them.";
    }
    if (!isMean()) {
      return "Scores have no bars: how far noise and chance move "
          + words()
          + " follows from how many rows of each class there are.";
    }
    return accuracy() && rows.isPresent()
        ? "No noise was added. Bars are the 95% sampling error of an accuracy on "
            + rows.getAsLong()
            + " rows."
        : "No noise was added to the scores, so they have no bars.";
  }

  public String name() {
    return "score (" + words() + ")";
  }

  /** Whether they are shares: of rows, or of pairs of them. */
  public boolean inPercent() {
    return accuracy() || !isMean();
  }

  public String shown(double score) {
    return inPercent() ? DisplayNumber.percent(score) : DisplayNumber.value(score);
  }
}
