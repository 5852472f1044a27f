package io.mutune.trainer.table;

import io.mutune.trainer.network.EncoderReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes down which numbers the cells of each column become, for programs that know no tables. Every
 * column of a table comes by in its turn.
 */
public interface CellSteps {
  /**
   * A number that is scaled; no number, or none without a fill, does not fit.
   *
   * @param fill stands for a missing one, and a 1 follows its numbers, a 0 those of others; null
   *     where a missing one does not fit
   */
  void number(String column, Scaled scaled, @Nullable Double fill);

  /**
   * The same of a day, in days after 1970-01-01.
   *
   * @param format in the letters of java.time, of a text
   * @param missing days that mean a missing one
   */
  void day(
      String column, String format, Scaled scaled, @Nullable Double fill, List<Double> missing);

  /** A text of a list. */
  void listed(String column, ListedTexts texts);

  /**
   * A text whose hash is its bucket, as {@link HashedType} has it.
   *
   * @param missing whether a missing text has a bucket of its own, the last
   */
  void hashed(String column, int buckets, boolean missing);

  /**
   * A text that a network turns into numbers.
   *
   * @param missing whether a missing text is an empty one; else it does not fit
   */
  void words(String column, EncoderReference encoder, boolean missing);

  /** A column that is no feature. */
  void unread(String column);
}
