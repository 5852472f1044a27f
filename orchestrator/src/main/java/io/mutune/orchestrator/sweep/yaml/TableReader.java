package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.UnitOfPrivacy;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.ColumnKinds;
import io.mutune.trainer.table.ColumnType;
import io.mutune.trainer.table.IdType;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TargetType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code columns} and {@code missing}: what the rows of a table hold. */
final class TableReader {
  private TableReader() {}

  /** The table, if the section describes one and nothing is wrong with it. */
  static Optional<Table> read(YamlSection data, @Nullable UnitOfPrivacy unit) {
    if (!data.has("columns")) {
      if (data.has("missing")) {
        data.broken("missing", "is for a table, whose columns are described by columns");
      }
      return Optional.empty();
    }
    List<String> missing = new YamlSettings(data).get(Table.MISSING);
    Optional<YamlSection> columns = data.section("columns");
    if (columns.isEmpty()) {
      return Optional.empty();
    }
    List<Column> read = new ArrayList<>();
    for (String name : columns.get().keys()) {
      columns
          .get()
          .section(name)
          .flatMap(column -> type(column))
          .ifPresent(type -> read.add(new Column(name, type)));
    }
    if (columns.get().hasProblems()) {
      return Optional.empty();
    }
    long width = read.stream().mapToLong(column -> column.type().width()).sum();
    if (width > RowForm.MAX_FEATURES) {
      data.broken(
          "columns", "must make rows of at most " + RowForm.MAX_FEATURES + " numbers", width);
      return Optional.empty();
    }
    try {
      // That no column of type id has the unit's name was noted where the unit was read.
      return Optional.of(
          unit == null || !isId(read, unit.column())
              ? new Table(read, missing, null)
              : new Table(read, missing, unit.column(), unit.rows()));
    } catch (IllegalArgumentException e) {
      data.broken("columns", "do not make a table: " + e.getMessage(), read.size() + " columns");
      return Optional.empty();
    }
  }

  private static boolean isId(List<Column> columns, String name) {
    return columns.stream()
        .anyMatch(column -> column.name().equals(name) && column.type() instanceof IdType);
  }

  /** What the table's labels may be; that it has none is noted. */
  static Optional<Labelling> labelling(YamlSection data, Table table) {
    try {
      return Optional.of(Labelling.of(table));
    } catch (IllegalArgumentException e) {
      data.broken("columns", "must have one of type label or target", "none");
      return Optional.empty();
    }
  }

  static boolean hasTarget(Table table) {
    return table.columns().stream().anyMatch(column -> column.type() instanceof TargetType);
  }

  private static Optional<ColumnType> type(YamlSection column) {
    Optional<ColumnType> type = ColumnKinds.read(new YamlSettings(column));
    if (type.isPresent()) {
      column.finish();
    }
    return type;
  }
}
