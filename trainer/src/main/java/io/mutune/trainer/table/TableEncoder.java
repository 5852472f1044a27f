package io.mutune.trainer.table;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes numbers of a table's rows: fill {@link #cell} of each column, then {@link #encode}. Belongs
 * to one thread.
 */
public final class TableEncoder {
  private final Table table;
  private final ColumnType[] types;
  private final Cell[] cells;
  private final CellFit[] fits;
  private final int[] starts;

  /** The columns that are looked at. */
  private final int[] read;

  private final TextIndex missing;
  private final int label;
  private final int unit;
  private double labelValue = Double.NaN;

  /**
   * @param labelled whether rows have labels, and names of their units; else these columns are not
   *     looked at
   */
  public TableEncoder(Table table, boolean labelled) {
    this.table = table;
    List<Column> columns = table.columns();
    types = columns.stream().map(Column::type).toArray(ColumnType[]::new);
    cells = new Cell[types.length];
    fits = new CellFit[types.length];
    starts = new int[types.length];
    int start = 0;
    for (int i = 0; i < types.length; i++) {
      cells[i] = new Cell();
      fits[i] = CellFit.FITS;
      starts[i] = start;
      start += types[i].width();
    }
    missing = new TextIndex(table.missing());
    label = labelled ? table.label().map(columns::indexOf).orElse(-1) : -1;
    String unitName = table.unit();
    unit = labelled && unitName != null ? Table.position(columns, unitName) : -1;
    read = IntStream.range(0, types.length).filter(this::isRead).toArray();
  }

  public Table table() {
    return table;
  }

  /** Whether the column with that position, from 0, is looked at. */
  public boolean isRead(int column) {
    return types[column].width() > 0 || column == label || column == unit;
  }

  /** What the row has in the column with that position, from 0; to be filled for each row. */
  public Cell cell(int column) {
    return cells[column];
  }

  /**
   * Makes the numbers of the row that {@link #cell} has; every column is looked at, whether those
   * before it fit or not.
   *
   * @param row {@link Table#width} places, each overwritten; of no use where a column does not fit
   * @return whether every column fits
   */
  public boolean encode(float[] row) {
    Arrays.fill(row, 0);
    boolean all = true;
    for (int i : read) {
      CellFit fit = encode(i, row);
      if (fits[i] != fit) {
        fits[i] = fit; // seldom: a reference written costs a collector's barrier
      }
      all &= fit.isFit();
    }
    return all;
  }

  private CellFit encode(int column, float[] row) {
    Cell cell = cells[column];
    boolean isMissing = cell.isMissing() || missing.of(cell) != TextIndex.NONE;
    if (column == label) {
      return isMissing ? CellFit.MISSING : readLabel(cell);
    }
    if (column == unit) {
      if (isMissing) {
        return CellFit.MISSING;
      }
      if (cell.isText() && cell.length() > IdType.MOST_CHARACTERS) {
        return CellFit.TOO_LONG; // ids are kept, and none must take the memory of others
      }
      if (cell.isNotFinite()) {
        return CellFit.NO_NUMBER; // NaN is no person
      }
      if (cell.isReplaced()) {
        return CellFit.REPLACED; // one id must not be two people's
      }
      return cell.isRounded() ? CellFit.ROUNDED : CellFit.FITS; // likewise
    }
    return isMissing
        ? types[column].encodeMissing(row, starts[column])
        : types[column].encode(cell, row, starts[column]);
  }

  private CellFit readLabel(Cell cell) {
    if (types[label] instanceof TargetType target) {
      double x = cell.number();
      labelValue = 2 * ((x - target.min()) / (target.max() - target.min())) - 1;
      if (Double.isNaN(x)) {
        return CellFit.NO_NUMBER;
      }
      return x >= target.min() && x <= target.max() ? CellFit.FITS : CellFit.CUT;
    }
    int index = ((LabelType) types[label]).classOf(cell);
    labelValue = index;
    return index == TextIndex.NONE ? CellFit.NOT_LISTED : CellFit.FITS;
  }

  /**
   * What the row that was encoded last has in a column of type text; empty where that is missing.
   *
   * @param column by its position, from 0
   */
  public String text(int column) {
    String text = fits[column] == CellFit.FITS ? cells[column].text() : "";
    return text.length() <= TextType.MOST_CHARACTERS
        ? text
        : text.substring(0, TextType.MOST_CHARACTERS);
  }

  /** Where the numbers of a column begin in a row, from 0. */
  public int start(int column) {
    return starts[column];
  }

  /** What became of the cell in that column, from 0, of the row that was encoded last. */
  public CellFit fit(int column) {
    return fits[column];
  }

  /** Names the first column that does not fit and the rule that is broken, never the value. */
  public String fault() {
    for (int i = 0; i < types.length; i++) {
      if (!fits[i].isFit()) {
        return "column '" + table.columns().get(i).name() + "' " + fits[i].rule();
      }
    }
    throw new IllegalStateException("every column fits");
  }

  /** Of a row that fits: the index of its class, or t, where −1 stands for min and 1 for max. */
  public double label() {
    return labelValue;
  }

  /** Of a row that fits: the text that names its unit; null where each row is a unit. */
  public @Nullable String unit() {
    return unit < 0 ? null : cells[unit].text();
  }
}
