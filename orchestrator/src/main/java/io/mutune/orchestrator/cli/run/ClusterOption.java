package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.command.WorkingEngine;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.ClusterProvider;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Where sums over private rows are added up, if not here: {@code --master URL}. Whoever holds the
 * files says so at each start; no sweep can, which may be anybody's.
 */
public final class ClusterOption {
  @Option(
      names = "--master",
      paramLabel = "URL",
      description =
          "add up the sums over private rows on this Apache Spark cluster, which is trusted with the"
              + " rows: spark://HOST:PORT, yarn, k8s://URL (docs/spark.md)")
  private @Nullable String master;

  /** A cluster while a study runs on it, or none. */
  public record Connection(Optional<Cluster> cluster) implements AutoCloseable {
    @Override
    public void close() {
      cluster.ifPresent(Cluster::close);
    }
  }

  /** Refuses one for a study that workers run. */
  void refuseAtWorkers() {
    if (master != null) {
      throw new UsageException(
          "--master: a submitted study goes on at the store's workers, which have no cluster");
    }
  }

  /**
   * Connects, before a study is entered.
   *
   * @param interruption of the command, which closes the connection before it ends
   * @throws UsageException if this study's sums are of another kind, or it has none
   * @throws IOException if the cluster is not there
   */
  public Connection open(SweepDefinition sweep, Interruption interruption) throws IOException {
    if (master == null) {
      return new Connection(Optional.empty());
    }
    Engine engine = WorkingEngine.here();
    if (engine != Engine.KERNEL) {
      throw new UsageException(
          "--master needs the kernel, on a Java with jdk.incubator.vector; this one computes by "
              + engine);
    }
    if (sweep.output().perInstance().isPresent()) {
      throw new UsageException(
          "--master: output.perInstance needs sums in double, which no cluster adds up");
    }
    if (sweep.search().isSecret()) {
      throw new UsageException(
          "--master: a cluster's machines see how many runs there are, which this search.strategy"
              + " keeps to itself");
    }
    if (!sweep.train().method().sumsOnMachines()) {
      throw new UsageException(
          "--master: %s asks private rows for something else than clipped sums, or for nothing, and a cluster adds up nothing else: leave it out"
              .formatted(sweep.train().method().name()));
    }
    return new Connection(Optional.of(ClusterProvider.here().open(master, interruption::isHeeded)));
  }
}
