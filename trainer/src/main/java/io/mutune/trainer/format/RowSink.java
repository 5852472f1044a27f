package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.table.TableEncoder;
import org.jspecify.annotations.Nullable;

/** Where a reader hands its rows to, one after the other. */
public interface RowSink {
  /**
   * Called once, before the first row.
   *
   * @throws DataFormatException if rows of so many columns are of no use
   */
  void begin(int columns) throws DataFormatException;

  /**
   * Says which file the next rows are of, where there are several.
   *
   * @param number its place among them, from 0
   */
  default void file(int number) {}

  /**
   * Takes one row.
   *
   * @param values as the file has them, all finite; the reader uses the array again for the next
   *     row
   * @param label class index, or {@link RowSpec#UNLABELLED}
   * @param unit the text that names the unit that the row is part of; null where each row is one.
   *     Of pictures to predict on it is the name of the row's file
   * @throws DataFormatException for a row that turns out to break a rule, and is not to be let pass
   */
  void row(float[] values, int label, @Nullable String unit) throws DataFormatException;

  /** Says where in its file a row stands, for whoever holds the file. */
  @FunctionalInterface
  interface Place {
    /** A problem of the row that is read at the moment; its message names file and place. */
    DataFormatException problem(String text);
  }

  /** Tells what became of the cells of a row with typed columns, before the row itself is told. */
  default void encoded(TableEncoder cells, Place place) {}

  /** Tells that one row more is read, and encoded where it is to be; by any thread. */
  default void done() {}

  /** The same of one that an earlier process encoded. */
  default void doneBefore() {
    done();
  }

  /** Called in place of {@link #row} for one that is left out, whose position counts still. */
  default void skipped() {}

  /** Called for a row that breaks a rule, where the reader could go on with the next one. */
  default void malformed(DataFormatException problem) throws DataFormatException {
    throw problem;
  }
}
