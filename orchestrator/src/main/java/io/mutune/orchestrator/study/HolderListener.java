package io.mutune.orchestrator.study;

import io.mutune.trainer.data.RowListener;
import java.util.OptionalLong;

/**
 * Hears what is private and meant for whoever holds the files. Only a command that its user waits
 * for at a terminal has one that is not silent: nothing that it is told may be stored, logged,
 * served or reported.
 */
public interface HolderListener {
  /** For every process that others may watch. */
  HolderListener SILENT = new HolderListener() {};

  /**
   * Protected rows did not fit their description.
   *
   * @param part what the sweep calls them
   * @param rows how many, at least one
   */
  default void unfit(String part, long rows) {}

  /**
   * The trainer failed to score protected rows, so that each of them counted as wrong.
   *
   * @param part what the sweep calls them
   */
  default void unscored(String part) {}

  /**
   * Rows are about to be read, and encoded or decoded where they are no numbers.
   *
   * @param file that they are in
   * @param rows how many there are said to be, where that is stated
   * @return what hears of each; it learns how many there are
   */
  default RowListener reading(String file, OptionalLong rows) {
    return RowListener.SILENT;
  }
}
