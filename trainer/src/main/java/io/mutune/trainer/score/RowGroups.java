package io.mutune.trainer.score;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.table.ColumnGroups;
import io.mutune.trainer.table.Table;
import java.io.Serializable;
import java.util.List;

/**
 * Groups of rows by a column of theirs, which is among their features before any map: so a row's
 * group and what a model says of it come from one reading of the row.
 */
public final class RowGroups implements Serializable {
  private static final long serialVersionUID = 1;

  private final ColumnGroups by;
  private final int first;
  private final int width;
  private final FeaturePipeline maps;

  /**
   * @param table of the rows
   * @param maps that rows go through before a model sees them
   */
  public RowGroups(ColumnGroups by, Table table, FeaturePipeline maps) {
    int[] positions = table.positions(List.of(by.column()));
    this.by = by;
    this.first = positions[0];
    this.width = positions.length;
    this.maps = maps;
  }

  ColumnGroups by() {
    return by;
  }

  /** How many groups there are. */
  int count() {
    return by.names().size();
  }

  /** How many features a model sees of rows of so many numbers. */
  int features(int columns) {
    return maps.outputs(columns);
  }

  FeaturePipeline maps() {
    return maps;
  }

  /** The group of a row before its maps; as private as it is. */
  int of(RowBlocks.Block block, int row) {
    return by.group(
        block.features(), width, row * (block.features().length / block.rows()) + first);
  }

  /** The group of every row, in their order; as private as they are. */
  int[] of(RowBlocks rows) {
    return of(by, rows, first, width);
  }

  /** The same of rows whose column begins there and has so many numbers. */
  static int[] of(ColumnGroups by, RowBlocks rows, int first, int width) {
    int[] groups = new int[Math.toIntExact(rows.rows())];
    int next = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        groups[next++] = by.group(block.features(), width, i * rows.columns() + first);
      }
    }
    return groups;
  }
}
