package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.figure.Chart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The charts of a finished study's page, for a page that draws them itself. */
public final class ServedCharts {
  private ServedCharts() {}

  /**
   * From the documents in a study's folder, and so from released values alone: those of the test,
   * of the search and of the cost, each with its numbers as a table, and why there were no trials.
   *
   * @throws IOException if a document is missing or is none
   */
  public static ObjectNode of(Path folder) throws IOException {
    StudyDocuments study;
    try {
      study =
          new StudyDocuments(
              "",
              Json.read(ModelCard.document(folder, PlanDocument.FILE), PlanDocument.class),
              StatementDocument.read(ModelCard.document(folder, StatementDocument.FILE)),
              Json.read(ModelCard.document(folder, ResultDocument.FILE), ResultDocument.class));
    } catch (JacksonException e) {
      throw new IOException("the documents of the study cannot be read", e);
    }
    StudyCharts charts = StudyCharts.of(study, List.of());
    ObjectNode json = Json.document();
    put(json.putArray("test"), charts.test());
    put(json.putArray("search"), charts.search());
    put(json.putArray("cost"), charts.cost());
    study.plan().noTrials().ifPresent(why -> json.put("noTrials", why));
    return json;
  }

  private static void put(ArrayNode array, List<Chart> charts) {
    for (Chart chart : charts) {
      ObjectNode json = chart.json();
      json.set("table", Json.tree(chart.table()));
      array.add(json);
    }
  }
}
