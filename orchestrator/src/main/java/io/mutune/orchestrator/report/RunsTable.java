package io.mutune.orchestrator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Every run with what was chosen for it and what came of it. */
final class RunsTable {
  private RunsTable() {}

  static DataTable of(StudyDocuments study) {
    List<Hyperparameter> columns = Hyperparameter.of(study);
    boolean lost =
        study.finalRun().path("lostSteps").asInt(0) > 0
            || study.trials().stream().anyMatch(t -> t.path("lostSteps").asInt(0) > 0);
    boolean scored = !study.trials().isEmpty() || study.finalRun().has("score");
    List<String> head = new ArrayList<>(List.of("run"));
    columns.forEach(column -> head.add(column.name()));
    boolean noisy =
        Stream.concat(study.trials().stream(), Stream.of(study.finalRun()))
            .anyMatch(run -> run.has("sigma"));
    if (noisy) {
      head.add("σ");
    }
    if (lost) {
      head.add("steps lost");
    }
    if (scored) {
      head.add("score");
    }
    TrialScores scores = TrialScores.read(study.result().path("scores"));
    List<DataTable.Row> rows = new ArrayList<>();
    for (JsonNode trial : study.trials()) {
      List<String> cells = new ArrayList<>();
      columns.forEach(column -> cells.add(column.shown(column.of(trial))));
      if (noisy) {
        cells.add(sigma(trial));
      }
      if (lost) {
        cells.add(Integer.toString(trial.path("lostSteps").asInt(0)));
      }
      OptionalDouble score = StudyDocuments.number(trial.path("score"));
      cells.add(score.isPresent() ? scores.shown(score.getAsDouble()) : "lost");
      rows.add(new DataTable.Row(name(trial), cells));
    }
    List<String> cells = new ArrayList<>();
    columns.forEach(column -> cells.add(column.shown(column.ofFinal(study))));
    if (noisy) {
      cells.add(sigma(study.finalRun()));
    }
    if (lost) {
      cells.add(Integer.toString(study.finalRun().path("lostSteps").asInt(0)));
    }
    if (scored) {
      OptionalDouble score = StudyDocuments.number(study.finalRun().path("score"));
      cells.add(score.isPresent() ? scores.shown(score.getAsDouble()) : "");
    }
    rows.add(new DataTable.Row("final", cells));
    return new DataTable(head, rows);
  }

  static String name(JsonNode trial) {
    return "trial " + trial.path("trial").asInt();
  }

  private static String sigma(JsonNode run) {
    OptionalDouble sigma = StudyDocuments.number(run.path("sigma"));
    return sigma.isPresent() ? DisplayNumber.sigma(sigma.getAsDouble()) : "";
  }
}
