package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.RunEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TrialScores;
import java.util.ArrayList;
import java.util.List;

/** Every run with what was chosen for it and what came of it. */
final class RunsTable {
  private RunsTable() {}

  static DataTable of(StudyDocuments study) {
    List<Hyperparameter> columns = Hyperparameter.of(study);
    List<RunEntry> runs = study.runs();
    boolean lost = runs.stream().anyMatch(run -> run.lostSteps().orElse(0) > 0);
    boolean noisy = runs.stream().anyMatch(run -> run.sigma().isPresent());
    boolean scored = runs.stream().anyMatch(run -> run.score().isPresent() || run.hasLostScore());
    List<String> head = new ArrayList<>(List.of("run"));
    columns.forEach(column -> head.add(column.name()));
    if (noisy) {
      head.add("σ");
    }
    if (lost) {
      head.add("steps lost");
    }
    if (scored) {
      head.add("score");
    }
    TrialScores scores = study.scores();
    List<DataTable.Row> rows = new ArrayList<>();
    for (RunEntry run : runs) {
      boolean last = run.trial().isEmpty();
      List<String> cells = new ArrayList<>();
      columns.forEach(c -> cells.add(c.shown(last ? c.ofFinal(study) : c.of(run))));
      if (noisy) {
        cells.add(DisplayNumber.ifPresent(run.sigma(), DisplayNumber::sigma));
      }
      if (lost) {
        cells.add(Integer.toString(run.lostSteps().orElse(0)));
      }
      if (scored) {
        String none = run.hasLostScore() ? "lost" : "";
        cells.add(run.score().isPresent() ? scores.shown(run.score().getAsDouble()) : none);
      }
      rows.add(new DataTable.Row(last ? "final" : run.name(), cells));
    }
    return new DataTable(head, rows);
  }
}
