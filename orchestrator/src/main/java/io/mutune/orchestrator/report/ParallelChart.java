package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.document.RunEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TrialScores;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Track;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Parallel coordinates of the runs: what was chosen for each, and its score. */
final class ParallelChart {
  private static final int FEWEST_AXES = 3;

  private ParallelChart() {}

  /** Empty where the runs differ in too little to be worth it. */
  static Optional<Chart> of(StudyDocuments study) {
    List<RunEntry> runs = study.runs();
    List<Axis> axes = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<List<@Nullable Double>> columns = new ArrayList<>();
    for (Hyperparameter one : Hyperparameter.of(study)) {
      List<OptionalDouble> values =
          runs.stream().map(run -> isFinal(run) ? one.ofFinal(study) : one.of(run)).toList();
      add(axes, columns, one.symbol(), values)
          .ifPresent(axis -> names.add(one.symbol() + " is the " + one.name()));
    }
    TrialScores scores = study.scores();
    List<OptionalDouble> released =
        runs.stream().map(run -> isFinal(run) ? OptionalDouble.empty() : run.score()).toList();
    if (add(axes, columns, "score", released).isPresent()) {
      axes.set(axes.size() - 1, ScoreChart.axis(scores, axes.get(axes.size() - 1)));
    }
    if (study.trials().size() < 2 || axes.size() < FEWEST_AXES) {
      return Optional.empty();
    }
    String end =
        study
            .kept()
            .map(trial -> "The model of " + trial.name() + " is the result as it is.")
            .orElse("The final run has no score: it is not chosen among others.");
    return Optional.of(chart(runs, end, axes, columns, released));
  }

  private static boolean isFinal(RunEntry run) {
    return run.trial().isEmpty();
  }

  /** An axis for values that differ. */
  private static Optional<Axis> add(
      List<Axis> axes,
      List<List<@Nullable Double>> columns,
      String name,
      List<OptionalDouble> values) {
    double[] known = values.stream().flatMapToDouble(OptionalDouble::stream).distinct().toArray();
    if (known.length < 2) {
      return Optional.empty();
    }
    Axis axis = Axis.fitting(name, 8, known);
    axes.add(axis);
    List<@Nullable Double> column = new ArrayList<>();
    values.forEach(value -> column.add(value.isPresent() ? value.getAsDouble() : null));
    columns.add(column);
    return Optional.of(axis);
  }

  private static Chart chart(
      List<RunEntry> runs,
      String end,
      List<Axis> axes,
      List<List<@Nullable Double>> columns,
      List<OptionalDouble> scores) {
    int best =
        IntStream.range(0, runs.size())
            .filter(i -> scores.get(i).isPresent())
            .reduce((a, b) -> scores.get(b).getAsDouble() > scores.get(a).getAsDouble() ? b : a)
            .orElse(-1);
    List<Track> tracks = new ArrayList<>();
    List<DataTable.Row> rows = new ArrayList<>();
    for (int run = 0; run < runs.size(); run++) {
      boolean last = isFinal(runs.get(run));
      List<@Nullable Double> values = new ArrayList<>();
      List<String> cells = new ArrayList<>();
      for (int a = 0; a < axes.size(); a++) {
        Double value = columns.get(a).get(run);
        values.add(value);
        cells.add(value == null ? "" : axes.get(a).shown(value));
      }
      String name = last ? "final run" : runs.get(run).name();
      tracks.add(
          new Track(
              run == best ? name + " (best score)" : name,
              last ? Mark.DASHED : run == best ? Mark.SOLID : Mark.DOTTED,
              last || run == best,
              values));
      rows.add(new DataTable.Row(name, cells));
    }
    List<String> head = new ArrayList<>(List.of("run"));
    axes.forEach(axis -> head.add(axis.name()));
    return new Chart(
        "runs",
        "The runs side by side",
        "A line for each run. Axes on which all runs agree are left out. " + end,
        new Plot.Parallel(axes, tracks),
        new DataTable(head, rows));
  }
}
