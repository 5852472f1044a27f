package io.mutune.trainer.check;

import io.mutune.trainer.table.CellFit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@link DataCheck} found in typed columns. Private, every number of it.
 *
 * @param columns those that are read, in the table's order
 * @param units how many units there are; 0 where each row is one
 * @param mostRows how many rows the unit with most of them has; 0 where each row is one
 * @param largeUnits how many units have more rows than count
 * @param countedRows how many rows of a unit count at most
 * @param places the first ones of each thing that may be a mistake but lets the row pass: file,
 *     place and rule, no value
 */
public record TableReport(
    List<ColumnReport> columns,
    long units,
    long mostRows,
    long largeUnits,
    int countedRows,
    List<String> places) {
  /**
   * What became of a column's cells, in every row that could be split into cells.
   *
   * @param cells how often, where it is above 0
   */
  public record ColumnReport(String name, Map<CellFit, Long> cells) {
    public ColumnReport {
      cells = Collections.unmodifiableMap(new EnumMap<>(cells));
    }
  }

  /** The same words whatever the cells have, since they may be anything. */
  private static final String POINT =
      "; numbers are read with a decimal point alone (1.5, not 1,5) and no other signs";

  public TableReport {
    columns = List.copyOf(columns);
    places = List.copyOf(places);
  }

  /** A sentence for each thing that the owner may not expect; as private as the report. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    for (ColumnReport column : columns) {
      column
          .cells()
          .forEach(
              (fit, count) -> {
                if (fit != CellFit.FITS) {
                  sentences.add(
                      String.format(
                          Locale.ROOT,
                          "Column '%s': %d %s.",
                          column.name(),
                          count,
                          (count == 1 ? "cell " : "cells: each ")
                              + fit.rule()
                              + (fit == CellFit.NO_NUMBER ? POINT : "")));
                }
              });
    }
    if (units > 0) {
      sentences.add("There are " + units + " people, and up to " + mostRows + " rows of one.");
    }
    if (largeUnits > 0) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "%d of them %s more than unit.rows says (%d): the rows above it are left out.",
              largeUnits,
              largeUnits == 1 ? "has" : "have",
              countedRows));
    }
    return sentences;
  }
}
