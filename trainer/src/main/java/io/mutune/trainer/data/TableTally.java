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

  /** By column, and what became of a cell. */
  private final List<Map<CellFit, Long>> counts = new ArrayList<>();

  private final Map<String, Long> rowsByUnit = new HashMap<>();
  private long unfitRows;

  TableTally(Table table) {
    this.table = table;
    table.columns().forEach(column -> counts.add(new EnumMap<>(CellFit.class)));
  }

  void count(TableEncoder cells) {
    for (int i = 0; i < counts.size(); i++) {
      if (cells.isRead(i)) {
        counts.get(i).merge(cells.fit(i), 1L, Long::sum);
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
    for (int i = 0; i < counts.size(); i++) {
      if (!counts.get(i).isEmpty()) {
        columns.add(new ColumnReport(table.columns().get(i).name(), counts.get(i)));
      }
    }
    long most = rowsByUnit.values().stream().mapToLong(Long::longValue).max().orElse(0);
    int counted = table.unitRows();
    long large = rowsByUnit.values().stream().filter(rows -> rows > counted).count();
    return new TableReport(columns, unfitRows, rowsByUnit.size(), most, large, counted);
  }
}
