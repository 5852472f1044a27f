package io.mutune.trainer.score;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.table.ColumnGroups;
import java.util.ArrayList;
import java.util.List;

/**
 * Figures on public rows, and the same on the rows of each group.
 *
 * @param all of every row
 * @param column whose values make the groups
 * @param groups in the order of the values, those without rows too
 */
public record GroupedMetrics(TestMetrics all, String column, List<Group> groups)
    implements TestMetrics {
  public GroupedMetrics {
    groups = List.copyOf(groups);
  }

  /** One group. */
  public record Group(String name, TestMetrics metrics) {}

  @Override
  public long rows() {
    return all.rows();
  }

  /**
   * All figures of a model on public rows.
   *
   * @param loss that it was trained by
   * @param of the same rows in the same order, read by {@link ColumnGroups#alone}
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  public static GroupedMetrics of(
      LinearModel model, Loss loss, PublicRows rows, ColumnGroups column, PublicRows of)
      throws UnsuitableRowsException {
    return of(
        model, loss, rows, column, RowGroups.of(column, of.blocks(), 0, of.blocks().columns()));
  }

  /**
   * The same of rows before any map, which tell their groups themselves.
   *
   * @param by which has the maps
   */
  public static GroupedMetrics of(LinearModel model, Loss loss, PublicRows before, RowGroups by)
      throws UnsuitableRowsException {
    PublicRows rows = new PublicRows(before.blocks().mapped(by.maps()));
    return of(model, loss, rows, by.by(), by.of(before.blocks()));
  }

  private static GroupedMetrics of(
      LinearModel model, Loss loss, PublicRows rows, ColumnGroups column, int[] groups)
      throws UnsuitableRowsException {
    if (groups.length != rows.count()) {
      throw new IllegalArgumentException("groups of other rows");
    }
    List<Group> figures = new ArrayList<>();
    for (int group = 0; group < column.names().size(); group++) {
      int one = group;
      RowBlocks some = rows.blocks().where(row -> groups[row] == one);
      figures.add(
          new Group(column.names().get(group), TestMetrics.of(model, loss, new PublicRows(some))));
    }
    return new GroupedMetrics(TestMetrics.of(model, loss, rows), column.column(), figures);
  }
}
