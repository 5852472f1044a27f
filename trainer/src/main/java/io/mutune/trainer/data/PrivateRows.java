package io.mutune.trainer.data;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows that need protection. Everything computed from them, their number included, is private until
 * a charged mechanism releases it. No package outside the trainer may call this (ArchUnit).
 */
public final class PrivateRows {
  private final @Nullable RowBlocks rows;
  private final @Nullable ClusterRows elsewhere;
  private final int columns;
  private final int buckets;

  private PrivateRows(
      @Nullable RowBlocks rows, @Nullable ClusterRows elsewhere, int columns, int buckets) {
    this.rows = rows;
    this.elsewhere = elsewhere;
    this.columns = columns;
    this.buckets = buckets;
  }

  /** Rows of one bucket. */
  public PrivateRows(RowBlocks rows) {
    this(rows, 1);
  }

  /**
   * Rows of which those of one bucket alone may share a block.
   *
   * @param buckets how many there are, by public numbers
   */
  public PrivateRows(RowBlocks rows, int buckets) {
    this(rows, null, rows.columns(), buckets);
  }

  /** Rows that other machines hold. */
  public PrivateRows(ClusterRows elsewhere) {
    this(null, elsewhere, elsewhere.columns(), elsewhere.buckets().count());
  }

  /**
   * The rows.
   *
   * @throws IllegalStateException if other machines hold them
   */
  public RowBlocks blocks() {
    if (rows == null) {
      throw new IllegalStateException("these rows are not here, but on other machines");
    }
    return rows;
  }

  /** The rows where they are, if that is on other machines. */
  public Optional<ClusterRows> elsewhere() {
    return Optional.ofNullable(elsewhere);
  }

  /** Whether rows are units', several of which may be one's: by public facts. */
  public boolean haveUnits() {
    return elsewhere == null ? blocks().units().isPresent() : elsewhere.haveUnits();
  }

  /** The number of features of every row. */
  public int columns() {
    return columns;
  }

  /** How many buckets the rows have. */
  public int buckets() {
    return buckets;
  }

  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "PrivateRows";
  }
}
