package io.mutune.orchestrator.report;

import io.mutune.accountant.Delta;
import io.mutune.orchestrator.study.StudyResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** {@code report.html}: one page that opens offline, the statement first. Values are escaped. */
public final class ReportPage {
  /** More rows than this are folded away. */
  private static final int MOST_ROWS = 16;

  private ReportPage() {}

  /** The page of a study, among the finished ones in the folders beside its own. */
  public static String html(StudyResult result) {
    StudyDocuments study = StudyDocuments.of(result);
    return html(
        study, StudyCharts.of(study, OtherStudies.beside(result.study().record().output(), study)));
  }

  static String html(StudyDocuments study, StudyCharts charts) {
    Map<String, Object> page = new LinkedHashMap<>();
    putStudy(page, study);
    putStatement(page, study);
    page.put("figure", figure(study).<Object>map(text -> text).orElse(false));
    boolean fixed = text(study.result(), "strategy").equals("fixed");
    page.put("noTrials", study.trials().isEmpty() && fixed);
    page.put("secretTrials", study.trials().isEmpty() && !fixed);
    page.put("runs", Page.table(RunsTable.of(study)));
    page.put("longRuns", study.trials().size() > MOST_ROWS);
    page.put("longCharges", study.statement().path("charges").size() > MOST_ROWS);
    page.put("fit", fit(study));
    page.put("wentOn", RoundSummary.sentences(study.result()));
    page.put(
        "guards",
        study
            .result()
            .path("guards")
            .valueStream()
            .map(g -> Map.of("name", text(g, "guard"), "action", text(g, "action")))
            .toList());
    page.put("lost", lost(study));
    page.put("searchFigures", Page.figures(charts.search()));
    page.put("costFigures", Page.figures(charts.cost()));
    page.put("studyFigures", Page.figures(charts.studies()));
    page.put("hasStudies", !charts.studies().isEmpty());
    page.put("charges", Page.table(ChargesTable.of(study)));
    return Page.html("report.mustache", page, charts.all());
  }

  private static void putStudy(Map<String, Object> page, StudyDocuments study) {
    page.put("name", text(study.result(), "name"));
    page.put("id", text(study.result(), "study"));
    page.put("description", study.description());
    page.put("strategy", text(study.result(), "strategy"));
    page.put("method", text(study.result(), "method"));
    JsonNode seconds = study.result().path("seconds");
    page.put(
        "seconds", seconds.isNumber() ? DisplayNumber.value(seconds.asDouble()) : (Object) false);
  }

  private static void putStatement(Map<String, Object> page, StudyDocuments study) {
    JsonNode statement = study.statement();
    page.put("void", study.holds() ? false : text(statement, "why"));
    page.put("epsilon", DisplayNumber.epsilon(statement.path("epsilon").asDouble()));
    page.put("delta", DisplayNumber.delta(Delta.of(statement.path("delta").asDouble())));
    page.put(
        "mu",
        statement.path("mu").isNumber()
            ? DisplayNumber.mu(statement.path("mu").asDouble())
            : (Object) false);
    page.put("accountant", text(statement, "accountant"));
    page.put("unit", text(statement, "unit"));
    page.put("adjacency", text(statement, "adjacency"));
    page.put("replaces", text(statement, "adjacency").equals("replace-one"));
    page.put("scoring", text(statement, "scoring"));
    page.put("noise", text(statement, "noise"));
    page.put("released", words(statement.path("released")));
    page.put("excluded", words(statement.path("excluded")));
    JsonNode ledger = statement.path("ledger");
    page.put(
        "ledger",
        ledger.isObject()
            ? Map.of("entries", text(ledger, "entries"), "head", text(ledger, "head"))
            : (Object) false);
    page.put(
        "processes",
        ProvenanceDocument.sentences(study.result().path("provenance").path("processes")));
  }

  private static List<String> words(JsonNode list) {
    return list.valueStream().map(JsonNode::asString).toList();
  }

  private static String text(JsonNode node, String key) {
    return node.path(key).asString("");
  }

  private static Optional<String> figure(StudyDocuments study) {
    JsonNode result = study.result();
    return result.path("testAccuracy").isNumber()
        ? Optional.of(
            "Test accuracy: " + DisplayNumber.percent(result.path("testAccuracy").asDouble()))
        : result.path("testError").isNumber()
            ? Optional.of(
                "Test error: "
                    + DisplayNumber.value(result.path("testError").asDouble())
                    + " (mean absolute)")
            : Optional.empty();
  }

  private static Object fit(StudyDocuments study) {
    return study.fit().<Object>map(ResultDocument::sentence).orElse(false);
  }

  /** What crashes took, as a sentence. */
  private static Object lost(StudyDocuments study) {
    long scores = study.trials().stream().filter(trial -> !trial.path("score").isNumber()).count();
    int steps = study.finalRun().path("lostSteps").asInt(0);
    for (JsonNode trial : study.trials()) {
      steps += trial.path("lostSteps").asInt(0);
    }
    if (scores == 0 && steps == 0) {
      return false;
    }
    return "Crashes took "
        + (scores == 1 ? "1 score" : scores + " scores")
        + " and "
        + (steps == 1 ? "1 step" : steps + " steps")
        + " of training. They stay charged and were not asked again.";
  }
}
