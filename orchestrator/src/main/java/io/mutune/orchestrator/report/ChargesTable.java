package io.mutune.orchestrator.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The charges of a statement, each with whatever parameters its mechanism has. */
final class ChargesTable {
  private static final Map<String, String> NAMES =
      Map.of("sigma", "σ", "samplingRate", "sampling rate");

  private ChargesTable() {}

  static DataTable of(StudyDocuments study) {
    List<JsonNode> charges = study.statement().path("charges").valueStream().toList();
    Set<String> parameters = new LinkedHashSet<>();
    charges.forEach(charge -> parameters.addAll(charge.path("parameters").propertyNames()));
    boolean inMu = charges.stream().anyMatch(charge -> charge.path("mu").isNumber());
    double total = study.statement().path("mu").asDouble(0);
    List<String> head = new ArrayList<>(List.of("charge", "mechanism"));
    parameters.forEach(key -> head.add(NAMES.getOrDefault(key, key)));
    head.add("releases");
    if (inMu) {
      head.add("μ");
    }
    if (total > 0) {
      head.add("share of μ²");
    }
    List<DataTable.Row> rows = new ArrayList<>();
    for (JsonNode charge : charges) {
      List<String> cells = new ArrayList<>(List.of(charge.path("mechanism").asString("")));
      parameters.forEach(key -> cells.add(shown(charge.path("parameters").path(key))));
      cells.add(charge.path("count").asString(""));
      boolean known = charge.path("mu").isNumber();
      double mu = charge.path("mu").asDouble(0);
      if (inMu) {
        cells.add(known ? DisplayNumber.mu(mu) : "");
      }
      if (total > 0) {
        cells.add(known ? DisplayNumber.percent(mu / total * (mu / total)) : "");
      }
      rows.add(new DataTable.Row(charge.path("what").asString(""), cells));
    }
    return new DataTable(head, rows);
  }

  private static String shown(JsonNode parameter) {
    return parameter.isNumber() ? DisplayNumber.sigma(parameter.asDouble()) : "";
  }
}
