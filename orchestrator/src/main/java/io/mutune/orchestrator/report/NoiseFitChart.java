package io.mutune.orchestrator.report;

import io.mutune.orchestrator.report.Plot.Dot;
import io.mutune.orchestrator.report.Plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The scores over ν, the curve that was smoothed through them, and the ν of the final run. */
final class NoiseFitChart {
  private NoiseFitChart() {}

  /** Empty without such a curve. */
  static Optional<Chart> of(StudyDocuments study) {
    return study
        .fit()
        .filter(fit -> fit.path("axis").asString().equals("logitNoise"))
        .filter(fit -> fit.path("value").asString().equals("score"))
        .filter(fit -> fit.path("curve").size() > 1)
        .filter(fit -> study.finalRun().path("logitNoise").isNumber())
        .map(fit -> chart(study, fit));
  }

  private static Chart chart(StudyDocuments study, JsonNode fit) {
    TrialScores scores = TrialScores.read(study.result().path("scores"));
    List<Dot> curve =
        fit.path("curve")
            .valueStream()
            .map(p -> Dot.at(p.path("x").asDouble(), p.path("y").asDouble()))
            .toList();
    List<Dot> trials = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    for (JsonNode trial : study.trials()) {
      if (!trial.path("score").isNumber() || !trial.path("logitNoise").isNumber()) {
        continue;
      }
      double score = trial.path("score").asDouble();
      double noise = trial.path("logitNoise").asDouble();
      trials.add(new Dot(noise, score, scores.bar(score), trial.path("trial").asString()));
      rows.add(
          DataTable.row(RunsTable.name(trial), DisplayNumber.value(noise), scores.shown(score)));
    }
    double chosen = study.finalRun().path("logitNoise").asDouble();
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
