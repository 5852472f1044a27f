package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
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
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Parallel coordinates of the runs: what was chosen for each, and its score. */
final class ParallelChart {
  private static final int FEWEST_AXES = 3;

  private ParallelChart() {}

  /**
   * An axis, and where each run stands on it.
   *
   * @param shown the same, for a table
   */
  private record Column(Axis axis, List<OptionalDouble> values, List<String> shown) {
    /** Empty of values that do not differ. */
    static Optional<Column> of(
        String name, List<OptionalDouble> values, Function<OptionalDouble, String> form) {
      double[] known = values.stream().flatMapToDouble(OptionalDouble::stream).distinct().toArray();
      return known.length < 2
          ? Optional.empty()
          : Optional.of(
              new Column(Axis.fitting(name, 8, known), values, values.stream().map(form).toList()));
    }

    Column on(Axis other) {
      return new Column(other, values, shown);
    }
  }

  /** Empty where the runs differ in too little to be worth it. */
  static Optional<Chart> of(StudyDocuments study) {
    List<RunEntry> runs = study.runs();
    List<Column> columns = new ArrayList<>();
    for (Hyperparameter one : Hyperparameter.of(study)) {
      List<OptionalDouble> values =
          runs.stream().map(run -> isFinal(run) ? one.ofFinal(study) : one.of(run)).toList();
      Column.of(one.symbol(), values, one::shown).ifPresent(columns::add);
    }
    TrialScores scores = study.scores();
    List<OptionalDouble> released =
        runs.stream().map(run -> isFinal(run) ? OptionalDouble.empty() : run.score()).toList();
    Column.of("score", released, score -> DisplayNumber.ifPresent(score, scores::shown))
        .ifPresent(column -> columns.add(column.on(column.axis().inPercent(scores.inPercent()))));
    if (study.trials().size() < 2 || columns.size() < FEWEST_AXES) {
      return Optional.empty();
    }
    String end =
        study
            .kept()
            .map(trial -> "The model of " + trial.name() + " is the result as it is.")
            .orElse("The final run has no score: it is not chosen among others.");
    return Optional.of(chart(runs, end, columns, released));
  }

  private static boolean isFinal(RunEntry run) {
    return run.trial().isEmpty();
  }

  private static Chart chart(
      List<RunEntry> runs, String end, List<Column> columns, List<OptionalDouble> scores) {
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
      for (Column column : columns) {
        OptionalDouble value = column.values().get(run);
        values.add(value.isPresent() ? value.getAsDouble() : null);
        cells.add(column.shown().get(run));
      }
      String name = last ? "final run" : runs.get(run).name();
      tracks.add(
          new Track(
              run == best ? name + " (best score)" : name,
              last ? Mark.DASHED : run == best ? Mark.SOLID : Mark.DOTTED,
              values));
      rows.add(new DataTable.Row(name, cells));
    }
    List<Axis> axes = columns.stream().map(Column::axis).toList();
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
