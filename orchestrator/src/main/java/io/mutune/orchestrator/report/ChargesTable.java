package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.StatementDocument.ChargeEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The charges of a statement, each with whatever parameters its mechanism has. */
final class ChargesTable {
  private static final Map<String, String> NAMES =
      Map.of("sigma", "σ", "samplingRate", "sampling rate");

  private ChargesTable() {}

  static DataTable of(StudyDocuments study) {
    List<ChargeEntry> charges = study.charges();
    Set<String> parameters = new LinkedHashSet<>();
    charges.forEach(charge -> parameters.addAll(charge.parameters().keySet()));
    boolean inMu = charges.stream().anyMatch(charge -> charge.mu().isPresent());
    double total = study.statement().mu().orElse(0);
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
    for (ChargeEntry charge : charges) {
      List<String> cells = new ArrayList<>(List.of(charge.mechanism()));
      parameters.forEach(key -> cells.add(shown(key, charge.parameters().get(key))));
      cells.add(charge.count().isPresent() ? Long.toString(charge.count().getAsLong()) : "");
      boolean known = charge.mu().isPresent();
      double mu = charge.mu().orElse(0);
      if (inMu) {
        cells.add(known ? DisplayNumber.mu(mu) : "");
      }
      if (total > 0) {
        cells.add(known ? DisplayNumber.percent(mu / total * (mu / total)) : "");
      }
      rows.add(new DataTable.Row(charge.what(), cells));
    }
    return new DataTable(head, rows);
  }

  private static String shown(String key, @Nullable Double parameter) {
    return parameter == null ? "" : DisplayNumber.parameter(key, parameter);
  }
}
