package io.mutune.trainer.data;

import java.util.Arrays;

/**
 * Which unit each row of a data set belongs to. A unit is all that one person contributed, and
 * neighbours differ in one of them. Units are numbered in the order of their first rows; as private
 * as the rows. Immutable.
 */
public final class RowUnits {
  /** Rows a unit has at most: those that one block of the kernel holds. */
  public static final int MOST_ROWS = 64;

  /** In place of the unit of a row that counts for nobody and adds nothing. */
  public static final int NONE = -1;

  /** In place of the name of a unit that has none, and is what its rows are. */
  public static final long UNNAMED = 0;

  private final int[] unitOf;
  private final int[] firsts;
  private final int[] rows;
  private final long[] names;
  private final int[] firstRows;

  private RowUnits(int[] unitOf, int[] firsts, int[] rows, long[] names) {
    this(unitOf, firsts, rows, names, new int[0]);
  }

  private RowUnits(int[] unitOf, int[] firsts, int[] rows, long[] names, int[] firstRows) {
    this.unitOf = unitOf;
    this.firsts = firsts;
    this.rows = rows;
    this.names = names;
    this.firstRows = firstRows;
  }

  /** The same of rows that do not stand as they were read: where the first of each unit did. */
  RowUnits from(int[] read) {
    return new RowUnits(unitOf, firsts, rows, names, read);
  }

  /**
   * Copies what it is given.
   *
   * @param unitOf of each row, in the order of the data set: its unit, counted from 0 in the order
   *     of first appearance, or {@link #NONE}
   * @throws IllegalArgumentException if units are numbered otherwise, or one has more than {@value
   *     #MOST_ROWS} rows; no message says which
   */
  public static RowUnits of(int[] unitOf) {
    return named(unitOf, new long[0]);
  }

  /**
   * The same of units that have names.
   *
   * @param names of the units, numbers that follow from them, or {@link #UNNAMED}, as are those
   *     that it is too short for
   */
  static RowUnits named(int[] unitOf, long[] names) {
    int count = 0;
    for (int unit : unitOf) {
      if (unit < NONE || unit > count) {
        throw new IllegalArgumentException("units are numbered in the order of their first rows");
      }
      count = Math.max(count, unit + 1);
    }
    int[] firsts = new int[count + 1];
    for (int unit : unitOf) {
      if (unit != NONE) {
        firsts[unit + 1]++;
      }
    }
    if (Arrays.stream(firsts).anyMatch(rows -> rows > MOST_ROWS)) {
      throw new IllegalArgumentException("a unit has at most %d rows".formatted(MOST_ROWS));
    }
    Arrays.parallelPrefix(firsts, Integer::sum);
    int[] rows = new int[firsts[count]];
    int[] next = firsts.clone();
    for (int row = 0; row < unitOf.length; row++) {
      if (unitOf[row] != NONE) {
        rows[next[unitOf[row]]++] = row;
      }
    }
    return new RowUnits(
        unitOf.clone(), firsts, rows, Arrays.copyOf(names, Math.min(names.length, count)));
  }

  /** Each row a unit of its own. */
  public static RowUnits single(int rows) {
    int[] each = new int[rows];
    Arrays.setAll(each, row -> row);
    int[] firsts = new int[rows + 1];
    Arrays.setAll(firsts, row -> row);
    return new RowUnits(each, firsts, each, new long[0]);
  }

  /**
   * Rows that stand in order, so many of each unit.
   *
   * @param rows of each unit, from 1 to {@value #MOST_ROWS}
   */
  public static RowUnits runs(int units, int rows) {
    int[] unitOf = new int[Math.multiplyExact(units, rows)];
    Arrays.setAll(unitOf, row -> row / rows);
    return of(unitOf);
  }

  /** These, then those of others, who are none of these. */
  public RowUnits and(RowUnits others) {
    int[] all = Arrays.copyOf(unitOf, Math.addExact(unitOf.length, others.unitOf.length));
    int count = count();
    for (int i = 0; i < others.unitOf.length; i++) {
      all[unitOf.length + i] = others.unitOf[i] == NONE ? NONE : count + others.unitOf[i];
    }
    long[] named = Arrays.copyOf(names, count + others.count());
    System.arraycopy(others.names, 0, named, count, others.names.length);
    return named(all, named).from(firstRows);
  }

  /** How many rows there are, those of {@link #NONE} with them. */
  public int rows() {
    return unitOf.length;
  }

  /** How many units there are. */
  public int count() {
    return firsts.length - 1;
  }

  /** How many rows count for a unit, at least 1. */
  public int size(int unit) {
    return firsts[unit + 1] - firsts[unit];
  }

  /**
   * A row of a unit.
   *
   * @param i from 0, in the order of the data set
   */
  public int row(int unit, int i) {
    return rows[firsts[unit] + i];
  }

  /** Where the first row of a unit stood when it was read, from 0. */
  public int firstRow(int unit) {
    return unit < firstRows.length ? firstRows[unit] : row(unit, 0);
  }

  /** A number that follows from a unit's name; {@link #UNNAMED} where it has none. */
  public long name(int unit) {
    return unit < names.length ? names[unit] : UNNAMED;
  }

  /** The unit of a row, or {@link #NONE}. */
  public int of(int row) {
    return unitOf[row];
  }

  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "RowUnits";
  }
}
