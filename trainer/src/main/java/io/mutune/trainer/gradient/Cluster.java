package io.mutune.trainer.gradient;

import io.mutune.trainer.data.ClusterRows;
import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.noise.RowBuckets;
import java.io.IOException;
import java.util.function.IntFunction;

/**
 * Machines that hold rows and add up their parts of clipped sums. They are as trusted as this one:
 * what they hold, and what they answer, is private until noise is added, which is here alone.
 */
public interface Cluster extends AutoCloseable {
  /** What it is, with versions, for the record of what a study ran on. */
  String description();

  /**
   * Into how many parts rows are cut.
   *
   * @param bytes about as many as the rows have, by public numbers
   */
  int parts(long bytes);

  /**
   * Hands rows over.
   *
   * @param parts how many there are
   * @param part makes one, which the caller keeps nothing of
   * @throws java.io.UncheckedIOException if the machines fail or are not there; in one line
   */
  Rows hold(int parts, IntFunction<RowPart> part);

  /**
   * Has the machines read rows themselves. Nothing is read before it is asked for, but to count
   * where a range goes over several files.
   *
   * @param files which they see under the same paths
   * @param bytes about as many as the rows have, by public numbers
   * @throws java.io.UncheckedIOException if the files cannot be read, or the machines fail; in one
   *     line
   */
  ClusterRows read(RowFiles files, RowBuckets buckets, long bytes);

  /**
   * Makes sure that machines have what reading and adding up take; reads no file.
   *
   * @param bytes about as many as the rows have, by public numbers
   * @param working bytes that adding up a part takes beside it, by public numbers
   * @throws IOException if one has not, or the machines fail; in one line
   */
  default void check(RowFiles files, long bytes, double working) throws IOException {}

  /** Forgets all rows and ends. */
  @Override
  void close();

  /** Rows that are held. Belongs to one thread at a time. */
  @FunctionalInterface
  interface Rows {
    /**
     * The sum of what all parts answer. A machine that fails is replaced, and its parts are asked
     * again elsewhere, which changes no bit.
     *
     * @throws java.io.UncheckedIOException if the machines fail for good; in one line
     */
    long[] add(PartSums sums);
  }
}
