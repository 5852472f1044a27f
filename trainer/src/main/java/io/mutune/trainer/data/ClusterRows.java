package io.mutune.trainer.data;

import io.mutune.trainer.noise.RowBuckets;
import java.io.Serializable;

/**
 * Rows that other machines read from their files and keep, in parts of whole buckets. A part that
 * is lost is read again, to the same bits. What jobs answer is private until noise is added.
 */
public interface ClusterRows {
  /** The number of features of every row. */
  int columns();

  /** Whether rows are units', several of which may be one's. */
  boolean haveUnits();

  /** Which rows may share a block. */
  RowBuckets buckets();

  /**
   * How many rows did not fit their description.
   *
   * @throws java.io.UncheckedIOException if the files cannot be read, or the machines fail; in one
   *     line
   */
  long unfit();

  /**
   * Asks a job of all rows, which are not kept for it, and adds the answers up.
   *
   * @throws java.io.UncheckedIOException as {@link #unfit}
   */
  long[] add(Job<RowBlocks> job);

  /** Keeps what is made of each part's rows, for jobs that are asked often. */
  <T extends Serializable> Kept<T> keep(Making<T> making);

  /**
   * What is asked of a part.
   *
   * @param <T> what the part is kept as
   */
  @FunctionalInterface
  interface Job<T> extends Serializable {
    /** What the part adds, in whole numbers; as many whatever the part. */
    long[] of(T part);
  }

  /**
   * Makes of rows what is kept of them, the same of the same rows on every machine.
   *
   * @param <T> what that is
   */
  @FunctionalInterface
  interface Making<T extends Serializable> extends Serializable {
    T of(RowBlocks rows);
  }

  /**
   * Parts that are kept.
   *
   * @param <T> as what
   */
  @FunctionalInterface
  interface Kept<T> {
    /**
     * The sum of what all parts answer.
     *
     * @throws java.io.UncheckedIOException as {@link ClusterRows#unfit}
     */
    long[] add(Job<T> job);
  }
}
