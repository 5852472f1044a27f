package io.mutune.orchestrator.cli.experiment;

import io.mutune.orchestrator.attack.AttackedSweep;
import io.mutune.orchestrator.attack.Neighbours;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.cli.run.ClusterOption;
import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.report.ReleasedDocuments;
import io.mutune.orchestrator.study.RunEnvironment;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mutune attack neighbours}. */
@Command(
    name = "neighbours",
    description =
        "Run the whole program on two neighbouring data sets and compare all that is released: one"
            + " who adds nothing must change no byte, and a loud one must stay within epsilon.")
final class AttackNeighboursCommand extends AttackRun {
  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "studies with the loud person, and as many without; 0 for the silent one alone (default:"
              + " ${DEFAULT-VALUE})")
  private int runs = 100;

  @Option(
      names = "--confidence",
      paramLabel = "P",
      description = "of all lower bounds together (default: ${DEFAULT-VALUE})")
  private double confidence = 0.999999;

  @Mixin private PersonOption person = new PersonOption();
  @Mixin private ClusterOption cluster = new ClusterOption();

  @Override
  void check() {
    checkConfidence(confidence);
  }

  @Override
  AttackDocument attack(SweepFile.Sweep sweep, RunEnvironment environment) throws IOException {
    AttackedSweep attacked = attackable(sweep, sweep.definition().output().directory());
    Neighbours neighbours = new Neighbours(attacked, person.rows(), runs, confidence, seed());
    try (ClusterOption.Connection machines = cluster.open(sweep.definition(), interruption())) {
      return AttackDocument.of(
          neighbours.run(ReleasedDocuments::of, environment.on(machines.cluster())));
    }
  }
}
