package io.mutune.trainer.gradient;

import java.io.IOException;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;

/** An optional part of Mutune that knows clusters, found where it is on the class path. */
public interface ClusterProvider {
  /**
   * Connects.
   *
   * @param master the cluster's address
   * @param isClosed whether who connects closes it too when a signal ends this process, which is
   *     then waited for; else the signal ends it
   * @throws IOException if there is no such cluster, or it does not answer; in one line
   */
  Cluster open(String master, BooleanSupplier isClosed) throws IOException;

  /**
   * The provider that is here.
   *
   * @throws IOException if there is none
   */
  static ClusterProvider here() throws IOException {
    return ServiceLoader.load(ClusterProvider.class)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "the part of Mutune that computes on Apache Spark is not here: in a checkout,"
                        + " mutune run SWEEP --master URL builds it"));
  }
}
