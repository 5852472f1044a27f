package io.mutune.orchestrator.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.report.ReleasedDocuments;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.trainer.attack.CanaryKind;
import io.mutune.trainer.data.ClusterRows;
import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.RowPart;
import io.mutune.trainer.noise.RowBuckets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole studies under attack whose sums are added up on a cluster, here in this process. */
@Timeout(300)
class ClusterAuditTest {
  private static final int PARTS = 3;

  @TempDir Path folder;

  /**
   * Parts in this process.
   *
   * @param asked how many times the first of them is asked in each step
   */
  private record Parts(int asked) implements Cluster {
    @Override
    public String description() {
      return "this process";
    }

    @Override
    public int parts(long bytes) {
      return PARTS;
    }

    @Override
    public Rows hold(int count, IntFunction<RowPart> part) {
      RowPart[] held =
          IntStream.range(0, count + asked - 1)
              .mapToObj(number -> part.apply(number % count))
              .toArray(RowPart[]::new);
      return sums -> {
        long[] all = sums.of(held[0]);
        for (int number = 1; number < held.length; number++) {
          long[] more = sums.of(held[number]);
          for (int i = 0; i < all.length; i++) {
            all[i] += more[i];
          }
        }
        return all;
      };
    }

    /** The sets of these tests are too small for that. */
    @Override
    public ClusterRows read(RowFiles files, RowBuckets buckets, long bytes) {
      throw new IllegalStateException("not asked");
    }

    @Override
    public void close() {}
  }

  private static RunEnvironment on(Cluster cluster) {
    return new RunEnvironment(Engine.KERNEL, StudyListener.SILENT, () -> false)
        .on(Optional.of(cluster));
  }

  private CanaryReport audited(int rows, Cluster cluster) throws IOException {
    AttackedSweep sweep = SmallStudies.sweep(folder, rows, 40, SmallStudies.SCALE_FREE);
    try (UnchargedStudy study =
        new UnchargedStudy(sweep, new StudiesInMemory(sweep, on(cluster)))) {
      return new CanaryAudit(CanaryKind.GRADIENT, 100, 1, 10, 0.999, 5).run(study);
    }
  }

  /** As {@link CanaryAuditTest} has it of one process. */
  @Test
  void anAuditOnACluster_boundsBelowTheGuarantee() throws IOException {
    CanaryReport report = audited(200, new Parts(1));
    assertThat(report.problems()).isEmpty();
    assertThat(report.refutes()).isFalse();
    assertThat(report.used())
        .containsExactly("the noisy sums that the iterates of 4 runs tell", "3 noisy scores");
  }

  /** A third of the rows takes part twice, far beyond the noise. */
  @Test
  void aClusterThatAsksAPartTwice_isFoundByAnAudit() throws IOException {
    assertThat(audited(2000, new Parts(2)).problems()).isNotEmpty();
  }

  @Test
  void aPersonWhoAddsNothing_changesNoByteOnACluster() throws IOException {
    AttackedSweep sweep = SmallStudies.sweep(folder, 200, 6, SmallStudies.SCALE_FREE);
    NeighbourReport report =
        new Neighbours(sweep, 1, 0, 0.999, 5).run(ReleasedDocuments::of, on(new Parts(1)));
    assertThat(report.silent().outcome()).isEqualTo(NeighbourReport.Outcome.SAME);
    assertThat(report.silent().compared()).isGreaterThan(10);
  }
}
