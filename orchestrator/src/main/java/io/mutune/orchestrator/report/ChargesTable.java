package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.StatementDocument.ChargeEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The charges of a statement in the order of the plan, each with its share of the whole. */
final class ChargesTable {
  private static final Map<String, String> NAMES = Map.of("sigma", "σ", "mu", "μ");

  private ChargesTable() {}

  static DataTable of(StudyDocuments study) {
    List<ChargeEntry> charges = study.charges();
    DataTable table = ChargeEntry.table(charges);
    double total = study.statement().mu().orElse(0);
    List<String> head = new ArrayList<>();
    table.head().forEach(name -> head.add(NAMES.getOrDefault(name, name)));
    if (total == 0) {
      return new DataTable(head, table.rows());
    }
    head.add("share of μ²");
    List<DataTable.Row> rows = new ArrayList<>();
    for (int i = 0; i < charges.size(); i++) {
      List<String> cells = new ArrayList<>(table.rows().get(i).cells());
      cells.add(
          DisplayNumber.ifPresent(
              charges.get(i).mu(), mu -> DisplayNumber.percent(mu / total * (mu / total))));
      rows.add(new DataTable.Row(charges.get(i).what(), cells));
    }
    return new DataTable(head, rows);
  }
}
