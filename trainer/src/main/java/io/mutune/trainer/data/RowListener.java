package io.mutune.trainer.data;

/**
 * Hears of each row that is read, and encoded or decoded where it is no numbers. Of protected rows
 * that tells how many there are, so it is for whoever holds the files.
 */
@FunctionalInterface
public interface RowListener {
  RowListener SILENT = () -> {};

  /** One row more is done, be it one that does not fit. Any thread may call it. */
  void row();

  /** The same of one that was done by an earlier process, and costs no time now. */
  default void kept() {
    row();
  }
}
