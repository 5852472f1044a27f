package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.document.RunEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TrialScores;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The released score of each trial with its error bar; what a crash took is marked. */
final class ScoreChart {
  /** Where what has no score is marked, as a share of the axis. */
  private static final double ABOVE_AXIS = 0.05;

  private ScoreChart() {}

  /** Empty where no trial has a score. */
  static Optional<Chart> of(StudyDocuments study) {
    TrialScores scores = study.scores();
    List<Dot> dots = new ArrayList<>();
    List<Integer> lost = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    int most = 0;
    for (RunEntry trial : study.trials()) {
      int number = trial.trial().orElse(0);
      most = Math.max(most, number);
      if (trial.score().isPresent()) {
        double score = trial.score().getAsDouble();
        double bar = scores.bar(score);
        dots.add(Dot.of(number, score, bar, ""));
        rows.add(
            DataTable.row(
                trial.name(), scores.shown(score), bar > 0 ? "± " + scores.shown(bar) : ""));
      } else if (trial.hasLostScore()) {
        lost.add(number);
        rows.add(DataTable.row(trial.name(), "lost", ""));
      }
    }
    if (dots.isEmpty()) {
      return Optional.empty();
    }
    Axis y = Axis.linear(scores.name(), Dot.ends(dots.stream())).inPercent(scores.inPercent());
    List<Series> series = new ArrayList<>();
    series.add(new Series("score", Mark.CIRCLE, dots));
    if (!lost.isEmpty()) {
      series.add(
          new Series(
              "lost in a crash, still charged",
              Mark.CROSS,
              lost.stream().map(number -> Dot.at(number, y.at(ABOVE_AXIS))).toList()));
    }
    return Optional.of(
        new Chart(
            "scores",
            "Score of each trial",
            scores.bars(),
            new Plot.Xy(Axis.counting("trial", most), y, series),
            new DataTable(List.of("trial", "score", "error bar"), rows)));
  }
}
