package io.mutune.orchestrator.study;

import io.mutune.trainer.data.ClusterReaders;
import io.mutune.trainer.data.DataKey;
import io.mutune.trainer.data.RowRoom;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.noise.NoiseSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What a run needs from outside.
 *
 * @param engine that computes the clipped sums
 * @param cancelled looked at after every step
 * @param interrupted likewise, but not while runs are under way that would be lost
 * @param key by which whoever runs it knows private files again; empty for no seals
 * @param holder apart from the listener, which may be anybody's
 * @param cluster that adds up sums over private rows; empty to do so here
 * @param noise in place of fresh secret noise, of an audit on rows that need no protection; empty
 *     for everybody else
 * @param share of the memory that studies of this process have together; empty where there is one
 */
public record RunEnvironment(
    Engine engine,
    StudyListener listener,
    BooleanSupplier cancelled,
    BooleanSupplier interrupted,
    Optional<DataKey> key,
    HolderListener holder,
    Optional<Cluster> cluster,
    Optional<NoiseSource> noise,
    Optional<RowRoom.Share> share) {
  /** A run in this process alone, without a key and with nobody who is told what is private. */
  public RunEnvironment(Engine engine, StudyListener listener, BooleanSupplier cancelled) {
    this(
        engine,
        listener,
        cancelled,
        () -> false,
        Optional.empty(),
        HolderListener.SILENT,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** What reads private rows in place of this process, where it can; empty for nobody else. */
  Optional<ClusterReaders> readers(Study study) {
    return cluster.map(there -> Engine.readers(there, StudyNoise.of(study, noise).orders()));
  }

  /** A copy for a study that shares the memory for rows with others. */
  public RunEnvironment beside(RowRoom.Share its) {
    return new RunEnvironment(
        engine, listener, cancelled, interrupted, key, holder, cluster, noise, Optional.of(its));
  }

  /** A copy that may be stopped wherever it can be gone on with. */
  public RunEnvironment interruptedBy(BooleanSupplier request) {
    return new RunEnvironment(
        engine, listener, cancelled, request, key, holder, cluster, noise, share);
  }

  /** A copy with a key of private files. */
  public RunEnvironment keyed(Optional<DataKey> by) {
    return new RunEnvironment(
        engine, listener, cancelled, interrupted, by, holder, cluster, noise, share);
  }

  /** A copy that tells somebody who may know it what is private. */
  public RunEnvironment heldBy(HolderListener told) {
    return new RunEnvironment(
        engine, listener, cancelled, interrupted, key, told, cluster, noise, share);
  }

  /** A copy that adds sums up on a cluster; in this process if there is none. */
  public RunEnvironment on(Optional<Cluster> there) {
    return new RunEnvironment(
        engine, listener, cancelled, interrupted, key, holder, there, noise, share);
  }
}
