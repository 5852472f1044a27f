package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.RunEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TrialScores;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Labels;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import io.mutune.orchestrator.search.Fit;
import io.mutune.trainer.score.Estimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The scores over ν, what they and the prior say of the score at every ν, and the ν of the final
 * run.
 */
final class NoiseFitChart {
  /** So many parts of each side of the band, for dots that are drawn anew at every point. */
  private static final int BAND_PARTS = 40;

  private NoiseFitChart() {}

  /** Empty without such a curve. */
  static Optional<Chart> of(StudyDocuments study) {
    OptionalDouble chosen = study.finalRun().number("logitNoise");
    return study
        .result()
        .fitted()
        .filter(fit -> fit.axis().equals("logitNoise") && fit.value().equals("score"))
        .filter(fit -> fit.curve().size() > 1 && chosen.isPresent())
        .map(fit -> chart(study, fit, chosen.getAsDouble()));
  }

  private static Chart chart(StudyDocuments study, Fit fit, double chosen) {
    TrialScores scores = study.scores();
    List<Dot> curve = fit.curve().stream().map(p -> Dot.at(p.x(), p.y())).toList();
    List<Dot> band = band(fit);
    List<Dot> trials = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    for (RunEntry trial : study.trials()) {
      if (trial.score().isEmpty() || trial.number("logitNoise").isEmpty()) {
        continue;
      }
      double score = trial.score().getAsDouble();
      double noise = trial.number("logitNoise").getAsDouble();
      trials.add(
          Dot.of(noise, score, scores.bar(score), Integer.toString(trial.trial().orElse(0))));
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
        Axis.linear(
                scores.name(),
                Dot.ends(Stream.of(curve, trials, band, prior(fit)).flatMap(List::stream)))
            .inPercent(scores.inPercent());
    List<Series> series = new ArrayList<>();
    if (!trials.isEmpty()) {
      // A crash may have lost all scores.
      series.add(new Series("trials, by number", Mark.CIRCLE, trials));
    }
    series.add(new Series("expected score", Mark.SOLID, curve));
    if (!band.isEmpty()) {
      series.add(new Series("95% of what the score may be", Mark.DOTTED, band));
      series.add(new Series("expected before any score", Mark.DASHED, prior(fit)));
    }
    series.add(new Series("ν of the final run", Mark.STAR, List.of(onCurve(curve, chosen))));
    rows.add(DataTable.row("final", DisplayNumber.value(chosen), ""));
    return new Chart(
        "noise",
        "Score against ν",
        "The final run has ν = %s. %s".formatted(DisplayNumber.value(chosen), scores.bars()),
        new Plot.Xy(x, y, Labels.apart(x, y, series)),
        new DataTable(List.of("run", "ν", "score"), rows));
  }

  /** Its outline: below the curve to the right, above it back. */
  private static List<Dot> band(Fit fit) {
    List<Dot> band = new ArrayList<>();
    fit.posterior()
        .ifPresent(
            posterior -> {
              int last = fit.curve().size() - 1;
              int step = Math.max(1, last / BAND_PARTS);
              for (int i = 0; i <= last; i += step) {
                band.add(edge(fit, posterior, i, -Estimate.QUANTILE));
              }
              for (int i = last - last % step; i >= 0; i -= step) {
                band.add(edge(fit, posterior, i, Estimate.QUANTILE));
              }
            });
    return band;
  }

  private static Dot edge(Fit fit, Fit.Posterior posterior, int index, double deviations) {
    Fit.Point mean = fit.curve().get(index);
    return Dot.at(mean.x(), mean.y() + deviations * posterior.deviation().get(index));
  }

  private static List<Dot> prior(Fit fit) {
    return fit.posterior().stream()
        .flatMap(
            posterior ->
                IntStream.range(0, fit.curve().size())
                    .mapToObj(i -> Dot.at(fit.curve().get(i).x(), posterior.prior().get(i))))
        .toList();
  }

  /** A ν may be beyond the curve, where it was cut to what is stable. */
  private static Dot onCurve(List<Dot> curve, double chosen) {
    Dot nearest =
        curve.stream()
            .min(Comparator.comparingDouble(dot -> Math.abs(Math.log(dot.x() / chosen))))
            .orElseThrow();
    return Dot.at(chosen, nearest.y());
  }
}
