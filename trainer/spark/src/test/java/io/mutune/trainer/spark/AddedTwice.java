package io.mutune.trainer.spark;

import io.mutune.trainer.data.ClusterRows;
import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.RowPart;
import io.mutune.trainer.noise.RowBuckets;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * A cluster with a fault: it adds some parts again.
 *
 * @param cluster as it should be
 * @param added how many parts it adds, of so many that there are
 */
record AddedTwice(Cluster cluster, IntUnaryOperator added) implements Cluster {
  @Override
  public String description() {
    return cluster.description();
  }

  @Override
  public int parts(long bytes) {
    return cluster.parts(bytes);
  }

  @Override
  public Rows hold(int parts, IntFunction<RowPart> part) {
    return cluster.hold(added.applyAsInt(parts), number -> part.apply(number % parts));
  }

  @Override
  public ClusterRows read(RowFiles files, RowBuckets buckets, long bytes) {
    return cluster.read(files, buckets, bytes);
  }

  @Override
  public void close() {}
}
