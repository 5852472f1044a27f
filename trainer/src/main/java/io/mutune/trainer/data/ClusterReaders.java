package io.mutune.trainer.data;

import java.io.IOException;

/** Machines that read the files of a data set themselves. */
@FunctionalInterface
public interface ClusterReaders {
  /**
   * Has them read.
   *
   * @param files which they see under the same paths
   * @param buckets how many there are
   * @param bytes about as many as the rows take, by public numbers
   */
  ClusterRows read(RowFiles files, int buckets, long bytes);

  /**
   * Makes sure that they have what reading and adding up take, before anything is charged; reads no
   * file.
   *
   * @param buckets as for {@link #read}, and so are {@code bytes}
   * @param working bytes that adding up a part takes beside it, by public numbers
   * @throws IOException if one has not, or the machines fail; in one line
   */
  default void check(RowFiles files, int buckets, long bytes, double working) throws IOException {}
}
