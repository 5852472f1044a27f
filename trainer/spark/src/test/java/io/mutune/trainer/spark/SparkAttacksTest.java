package io.mutune.trainer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.attack.AttackedSweep;
import io.mutune.orchestrator.attack.CanaryAudit;
import io.mutune.orchestrator.attack.CanaryReport;
import io.mutune.orchestrator.attack.NeighbourReport;
import io.mutune.orchestrator.attack.Neighbours;
import io.mutune.orchestrator.attack.StudiesInMemory;
import io.mutune.orchestrator.attack.UnchargedStudy;
import io.mutune.orchestrator.report.ReleasedDocuments;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.attack.CanaryKind;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whole studies under attack, with two executors. */
class SparkAttacksTest {
  private static Cluster cluster;

  /** Executors find Mutune's classes where this process does, as jars or not. */
  @BeforeAll
  static void start() throws IOException {
    System.setProperty("spark.executor.extraClassPath", System.getProperty("java.class.path"));
    cluster = new SparkProvider().open("local-cluster[2,1,1024]", () -> false);
  }

  @AfterAll
  static void stop() {
    cluster.close();
    System.clearProperty("spark.executor.extraClassPath");
  }

  /** Digits, at a guarantee of 8. */
  private static AttackedSweep sweep(int steps) throws IOException {
    Path file = Path.of(System.getProperty("mutune.root"), "sweeps/attack.yaml");
    String text = Files.readString(file).replace("steps: 30", "steps: " + steps);
    SweepContext context = SweepContext.ofFile(file);
    Path noStore = Path.of("no store");
    return new AttackedSweep(
        SweepReader.read("attack.yaml", text, context),
        text,
        context,
        Stores.owners(new StoreLocation.File(noStore), noStore));
  }

  private static RunEnvironment on(Cluster cluster) {
    return new RunEnvironment(Engine.KERNEL, StudyListener.SILENT, () -> false)
        .on(Optional.of(cluster));
  }

  private static CanaryReport audited(Cluster on) throws IOException {
    AttackedSweep sweep = sweep(30);
    try (UnchargedStudy study = new UnchargedStudy(sweep, new StudiesInMemory(sweep, on(on)))) {
      return new CanaryAudit(CanaryKind.GRADIENT, 600, 1, 120, 0.99, 5).run(study);
    }
  }

  /** All that a sound study may fail is a bound of 99%, which leaves a third of the guarantee. */
  @Test
  void aCanaryAudit_boundsBelowTheGuarantee_andFindsNothingWrongWithTheNoise() throws IOException {
    CanaryReport report = audited(cluster);
    assertThat(report.problems()).isEmpty();
    assertThat(report.refutes()).isFalse();
    assertThat(report.epsilonAtLeast()).isPositive().isLessThan(8);
  }

  @Test
  void aPartThatIsAddedTwice_isFoundByAnAudit() throws IOException {
    Cluster twice = new AddedTwice(cluster, parts -> parts + 1);
    assertThat(audited(twice).problems()).isNotEmpty();
  }

  @Test
  void aRowThatAddsNothing_changesNoByte_andALoudOneStaysWithinTheGuarantee() throws IOException {
    NeighbourReport report =
        new Neighbours(sweep(5), 1, 20, 0.999999, 5).run(ReleasedDocuments::of, on(cluster));
    assertThat(report.silent().outcome()).isEqualTo(NeighbourReport.Outcome.SAME);
    assertThat(report.problems()).isEmpty();
    assertThat(report.refutes()).isFalse();
  }
}
