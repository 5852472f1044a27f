package io.mutune.trainer.data;

import io.mutune.trainer.data.TableReport.ColumnReport;
import io.mutune.trainer.table.CellFit;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TableEncoder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what becomes of the cells of a table. */
final class TableTally {
  private final Table table;
  private final long[][] counts;
  private final Map<String, Long> rowsByUnit = new HashMap<>();
  private long unfitRows;

  TableTally(Table table) {
    this.table = table;
    this.counts = new long[table.columns().size()][CellFit.values().length];
  }

  void count(TableEncoder cells) {
    for (int i = 0; i < counts.length; i++) {
      if (cells.isRead(i)) {
        counts[i][cells.fit(i).ordinal()]++;
      }
    }
  }

  void countRow(@Nullable String unit) {
    if (unit != null) {
      rowsByUnit.merge(unit, 1L, Long::sum);
    }
  }

  void countUnfitRow() {
    unfitRows++;
  }

  TableReport report() {
    List<ColumnReport> columns = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      Map<CellFit, Long> cells = new EnumMap<>(CellFit.class);
      for (CellFit fit : CellFit.values()) {
        if (counts[i][fit.ordinal()] > 0) {
          cells.put(fit, counts[i][fit.ordinal()]);
        }
      }
      if (!cells.isEmpty()) {
        columns.add(new ColumnReport(table.columns().get(i).name(), cells));
      }
    }
    long most = rowsByUnit.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return new TableReport(columns, unfitRows, rowsByUnit.size(), most);
  }
}
