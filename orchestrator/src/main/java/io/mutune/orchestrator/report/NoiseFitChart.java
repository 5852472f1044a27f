package io.mutune.orchestrator.report;

import io.mutune.orchestrator.report.Plot.Dot;
import io.mutune.orchestrator.report.Plot.Series;
import io.mutune.orchestrator.search.Fit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The scores over ν, the curve that was smoothed through them, and the ν of the final run. */
final class NoiseFitChart {
  private NoiseFitChart() {}

  /** Empty without such a curve. */
  static Optional<Chart> of(StudyDocuments study) {
    OptionalDouble chosen = study.finalRun().number("logitNoise");
    return study
        .result()
        .fit()
        .filter(fit -> fit.axis().equals("logitNoise") && fit.value().equals("score"))
        .filter(fit -> fit.curve().size() > 1 && chosen.isPresent())
        .map(fit -> chart(study, fit, chosen.getAsDouble()));
  }

  private static Chart chart(StudyDocuments study, Fit fit, double chosen) {
    TrialScores scores = study.scores();
    List<Dot> curve = fit.curve().stream().map(p -> Dot.at(p.x(), p.y())).toList();
    List<Dot> trials = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    for (RunEntry trial : study.trials()) {
      if (trial.score().isEmpty() || trial.number("logitNoise").isEmpty()) {
        continue;
      }
      double score = trial.score().getAsDouble();
      double noise = trial.number("logitNoise").getAsDouble();
      trials.add(
          new Dot(noise, score, scores.bar(score), Integer.toString(trial.trial().orElse(0))));
      rows.add(DataTable.row(trial.name(), DisplayNumber.value(noise), scores.shown(score)));
    }
    Axis x =
        Axis.log(
            "logit noise ν",
            Stream.of(curve, trials, List.of(Dot.at(chosen, 0)))
                .flatMap(List::stream)
                .mapToDouble(Dot::x)
                .toArray());
    Axis y =
        scores.onAxis(
            Axis.linear(
                scores.name(),
                Stream.concat(curve.stream(), trials.stream())
                    .flatMap(d -> Stream.of(d.y() - d.bar(), d.y() + d.bar()))
                    .mapToDouble(d -> d)
                    .toArray()));
    List<Series> series = new ArrayList<>();
    if (!trials.isEmpty()) {
      // A crash may have lost all scores.
      series.add(new Series("trials, by number", Mark.CIRCLE, trials));
    }
    series.add(new Series("smoothed, with a weak prior at ν = 1", Mark.SOLID, curve));
    series.add(
        new Series(
            "ν of the final run",
            Mark.DASHED,
            List.of(Dot.at(chosen, y.min()), Dot.at(chosen, y.max()))));
    rows.add(DataTable.row("final", DisplayNumber.value(chosen), ""));
    return new Chart(
        "noise",
        "Score against ν",
        "The final run has ν = %s. %s".formatted(DisplayNumber.value(chosen), scores.bars()),
        new Plot.Xy(x, y, Labels.apart(x, y, series)),
        new DataTable(List.of("run", "ν", "score"), rows));
  }
}
