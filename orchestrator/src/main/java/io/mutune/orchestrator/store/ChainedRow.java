package io.mutune.orchestrator.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a ledger as the database has it, which may be damaged.
 *
 * @param entry its number in its ledger
 * @param name for messages
 * @param fields that its hash covers
 */
record ChainedRow(
    @Nullable String entry,
    @Nullable String name,
    List<@Nullable String> fields,
    @Nullable String hash) {

  /** Reads one; the columns from the fourth on are its fields. */
  static ChainedRow read(ResultSet row) throws SQLException {
    List<@Nullable String> fields = new ArrayList<>();
    for (int column = 4; column <= row.getMetaData().getColumnCount(); column++) {
      fields.add(row.getString(column));
    }
    return new ChainedRow(row.getString(1), row.getString(2), fields, row.getString(3));
  }

  /** Returns the first entry that does not fit into a chain from {@code start} to {@code head}. */
  static Optional<String> problem(
      List<ChainedRow> rows, String start, String entries, String head) {
    Map<String, ChainedRow> byEntry = new HashMap<>();
    for (ChainedRow row : rows) {
      if (row.entry == null) {
        return Optional.of("an entry (" + row.name + ") was never chained");
      }
      if (byEntry.put(row.entry, row) != null) {
        return Optional.of("entry " + row.entry + " (" + row.name + ") is there twice");
      }
    }
    String before = start;
    for (int entry = 1; entry <= rows.size(); entry++) {
      ChainedRow row = byEntry.get(Integer.toString(entry));
      if (row == null) {
        return Optional.of("entry " + entry + " is missing");
      }
      before = Chain.next(before, row.fields.toArray(new @Nullable String[0]));
      if (!before.equals(row.hash)) {
        return Optional.of(
            "entry "
                + entry
                + " ("
                + row.name
                + ") is not what was written"
                + (entry == 1 ? ", or what the ledger belongs to is not" : ""));
      }
    }
    if (!Integer.toString(rows.size()).equals(entries)) {
      String should = "the ledger should have " + entries + " entries";
      return Optional.of(
          rows.size() < Long.parseLong(entries)
              ? "entry " + (rows.size() + 1) + " is missing: " + should
              : should + " and has " + rows.size());
    }
    return head.equals(before)
        ? Optional.empty()
        : Optional.of("the head is not that of entry " + rows.size());
  }
}
