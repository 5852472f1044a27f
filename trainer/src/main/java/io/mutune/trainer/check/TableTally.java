package io.mutune.trainer.check;

import io.mutune.trainer.check.TableReport.ColumnReport;
import io.mutune.trainer.format.RowSink;
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
  /** How many places are told of each thing that may be a mistake and is none of the form. */
  private static final int FIRST = 5;

  private final Table table;

  /** By column, and what became of a cell. */
  private final List<Map<CellFit, Long>> counts = new ArrayList<>();

  private final Map<String, Long> rowsByUnit = new HashMap<>();
  private final List<String> places = new ArrayList<>();
  private RowSink.@Nullable Place place;
  private long largeUnits;

  TableTally(Table table) {
    this.table = table;
    table.columns().forEach(column -> counts.add(new EnumMap<>(CellFit.class)));
  }

  void count(TableEncoder cells, RowSink.Place at) {
    place = at;
    for (int i = 0; i < counts.size(); i++) {
      if (cells.isRead(i)) {
        CellFit fit = cells.fit(i);
        long count = counts.get(i).merge(fit, 1L, Long::sum);
        if (count <= FIRST && (fit == CellFit.CUT || fit == CellFit.OTHER)) {
          tell("column '" + table.columns().get(i).name() + "' is " + fit.rule());
        }
      }
    }
  }

  /** Of the row whose cells were counted last. */
  void countRow(@Nullable String unit) {
    if (unit != null && rowsByUnit.merge(unit, 1L, Long::sum) == table.unitRows() + 1L) {
      if (largeUnits++ < FIRST) {
        tell("a person has more rows than unit.rows says, from this one on");
      }
    }
  }

  private void tell(String text) {
    if (place != null) {
      places.add(String.valueOf(place.problem(text).getMessage()));
    }
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
    return new TableReport(columns, rowsByUnit.size(), most, largeUnits, counted, places);
  }
}
