package io.mutune.trainer.gradient;

import java.io.IOException;
import java.util.ServiceLoader;

/** An optional part of Mutune that knows clusters, found where it is on the class path. */
public interface ClusterProvider {
  /**
   * Connects.
   *
   * @param master the cluster's address
   * @throws IOException if there is no such cluster, or it does not answer; in one line
   */
  Cluster open(String master) throws IOException;

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
